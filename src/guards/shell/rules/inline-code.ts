import { concernRule } from '../rule.ts';

export const inlineCode = concernRule({
  id: 'shell/inline-code', keys: ['inline_code'],
  reason: 'Code written on the line runs',
  instead: 'Write the code to a file in the workspace and run it from there.',
  examples: {
    hit: ["python3 -c 'print(1)'", "node -e 1", "perl -ne 'system 1' f", "python3 -Bc 'x'", "awk 'BEGIN{system(\"id\")}'", "eval ls"],
    miss: ["python3 -m pytest", "node --test", "awk '{print $1}' f"],
  },
});
