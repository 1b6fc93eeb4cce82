import { z } from 'zod';
import { defineTool } from '../../core/tool.ts';
import { resolveCommand, runResolved } from '../commands.ts';
import { commandPartParameter, pathParameter, timeoutParameter } from '../parameters.ts';
import { refuseResolve } from '../subject.ts';
import { quoteArgv } from './quote.ts';

const schema = z.strictObject({
  program: commandPartParameter(4_096).min(1),
  args: z.array(commandPartParameter(100_000)).max(1_000),
  cwd: pathParameter.optional(),
  timeout_seconds: timeoutParameter.optional(),
});

export const runCommand = defineTool<z.infer<typeof schema>>({
  name: 'run_command',
  description: 'Run one program with arguments, without a shell and without input. Prefer it to run_shell.',
  schema,
  capabilities: ['process.exec'],
  risk: 'exec',
  profiles: ['coding', 'full'],
  resolve: async ({ program, args, cwd, timeout_seconds }, context) => {
    if (/\s/.test(program) && !/[/\\]/.test(program)) {
      return refuseResolve('not_applicable', 'program is the name of one program; its arguments belong in args.');
    }
    const argv = [program, ...args];
    return resolveCommand({ form: 'argv', argv, line: quoteArgv(argv), cwd, timeoutSeconds: timeout_seconds }, 'Run a command', context);
  },
  run: (_args, resolution, effects) => runResolved(resolution, effects),
});
