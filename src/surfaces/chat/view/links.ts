import { isRelativePath, isWebAddress } from '../addresses.ts';
import type { FromView } from '../protocol.ts';

/** Links and copy buttons inside the agent's text: no address is followed here, the host is asked. */
export function listenForClicks(root: HTMLElement, host: { postMessage(message: FromView): void }): void {
  const act = (event: Event): void => {
    if (!(event.target instanceof Element) || !event.isTrusted) return;
    const link = event.target.closest<HTMLElement>('chat-markdown [data-link], chat-markdown [data-file]');
    const copy = event.target.closest<HTMLElement>('chat-markdown [data-copy]');
    if (link !== null) {
      event.preventDefault();
      const { link: url, file } = link.dataset;
      if (url !== undefined && isWebAddress(url)) host.postMessage({ type: 'open_link', url });
      else if (file !== undefined && isRelativePath(file)) host.postMessage({ type: 'open_file', path: file });
    } else if (copy !== null && event.type === 'click') void copyCode(copy);
  };
  root.addEventListener('click', act);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') act(event);
  });
}

async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest('.code-block')?.querySelector('code')?.textContent ?? '';
  const mark = button.querySelector('.codicon');
  const done = await navigator.clipboard.writeText(code).then(() => true, () => false);
  button.setAttribute('aria-label', done ? 'Copied' : 'Not copied');
  mark?.classList.replace('codicon-copy', done ? 'codicon-check' : 'codicon-error');
  setTimeout(() => {
    button.setAttribute('aria-label', 'Copy code');
    mark?.classList.remove('codicon-check', 'codicon-error');
    mark?.classList.add('codicon-copy');
  }, 1500);
}
