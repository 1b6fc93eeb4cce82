import { z } from 'zod';
import { defineTool } from '../../core/tool.ts';
import { resolveCommand, runResolved } from '../commands.ts';
import { commandPartParameter, pathParameter, timeoutParameter } from '../parameters.ts';

const schema = z.strictObject({
  command: commandPartParameter(100_000).refine((command) => command.trim() !== '', { error: 'must not be blank' }),
  cwd: pathParameter.optional(),
  timeout_seconds: timeoutParameter.optional(),
});

export const runShell = defineTool<z.infer<typeof schema>>({
  name: 'run_shell',
  description: 'Run a shell line, without input. Only when pipes or other shell features are needed.',
  schema,
  capabilities: ['process.exec'],
  risk: 'exec',
  profiles: ['coding', 'full'],
  resolve: ({ command, cwd, timeout_seconds }, context) =>
    resolveCommand({ form: 'shell', argv: [], line: command, cwd, timeoutSeconds: timeout_seconds }, 'Run a shell line', context),
  run: (_args, resolution, effects) => runResolved(resolution, effects),
});
