import { grammarBytes } from '../../src/build/grammar-bytes.mjs';
import type { CommandAnalysis } from '../../src/core/ports.ts';
import { createShellEngine } from '../../src/guards/shell/engine.ts';

const engine = createShellEngine(grammarBytes);

/** The real shell engine over the folder of `createWorld`: `/w`, without links. */
export const shellAnalysis: CommandAnalysis = {
  analyse: async ({ form, argv, line, cwd }) => {
    await engine.ready();
    const place = { cwd: cwd.real, roots: ['/w'], home: '/home/person', platform: 'linux' } as const;
    return form === 'argv' ? engine.analyseArgv(argv, place) : engine.analyseShell(line, place);
  },
};
