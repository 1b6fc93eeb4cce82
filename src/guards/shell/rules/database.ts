import { concernRule } from '../rule.ts';

export const database = concernRule({
  id: 'shell/database', keys: ['database'],
  reason: 'It works on a database',
  instead: 'Write the statement to a file and say against which database it runs.',
  examples: {
    hit: ["psql prod", "sqlite3 app.db '.shell id'", "mysql prod < wipe.sql", "dropdb prod"],
    miss: ["cat schema.sql"],
  },
});
