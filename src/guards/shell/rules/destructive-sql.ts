import { concernRule } from '../rule.ts';

export const destructiveSql = concernRule({
  id: 'shell/destructive-sql', keys: ['destructive_sql'], sensitive: true,
  reason: 'It deletes tables or rows of a database',
  instead: 'Show the rows first with a SELECT.',
  examples: {
    hit: ["mysql -e 'DROP TABLE users'", "psql prod <<< 'TRUNCATE users'", "psql -c 'delete from users'"],
    miss: ["psql -c 'select 1'", "echo 'DROP TABLE x'"],
  },
});
