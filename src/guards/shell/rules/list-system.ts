import type { ShellRule } from '../rule.ts';
import { privilege } from './privilege.ts';
import { processKill } from './process-kill.ts';
import { processList } from './process-list.ts';
import { serviceControl } from './system-control.ts';
import { persistence } from './persistence.ts';
import { accountChange } from './account-change.ts';
import { kernel } from './kernel.ts';
import { container } from './container.ts';
import { infrastructure } from './infrastructure.ts';
import { database } from './database.ts';
import { destructiveSql } from './destructive-sql.ts';
import { listener } from './listener.ts';
import { desktop } from './desktop.ts';

export const SYSTEM_RULES: readonly ShellRule[] = [privilege, processKill, processList, serviceControl, persistence, accountChange, kernel, container, infrastructure, database, destructiveSql, listener, desktop];
