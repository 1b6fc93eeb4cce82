import './base.css';
import './log.css';
import './card.css';
import './composer.css';
import { startChat } from './app.ts';
import type { Host } from './app.ts';
import { defineMarkdownElement } from './markdown-element.ts';
import { listenForClicks } from './links.ts';

declare function acquireVsCodeApi(): Host;

const root = document.getElementById('chat');
const bootstrap = document.getElementById('bootstrap');
if (root !== null && bootstrap !== null) {
  const { token } = JSON.parse(bootstrap.textContent) as { token: string };
  bootstrap.remove();
  const host = acquireVsCodeApi();
  defineMarkdownElement();
  const app = startChat(root, host, token);
  listenForClicks(root, host);
  window.addEventListener('message', (event: MessageEvent<unknown>) => app.receive(event.data));
  host.postMessage({ type: 'ready' });
}
