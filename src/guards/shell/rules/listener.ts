import { concernRule } from '../rule.ts';

export const listener = concernRule({
  id: 'shell/listener', keys: ['listener'],
  reason: 'It starts a server that keeps running',
  instead: 'Start it yourself in a terminal.',
  examples: {
    hit: ["python3 -Im http.server", "python3 manage.py runserver", "npm run dev", "npm start", "php -S localhost:80"],
    miss: ["npm test", "php -l a.php"],
  },
});
