import { createRenderer, sanitise } from './markdown.ts';

/**
 * `<chat-markdown .text=…>`. While text streams in, only the blocks that changed are replaced: a selection in an
 * earlier paragraph survives, and nothing above the end moves.
 */
export function defineMarkdownElement(): void {
  const render = createRenderer();
  class ChatMarkdown extends HTMLElement {
    #blocks: readonly string[] = [];
    #text = '';

    get text(): string {
      return this.#text;
    }
    set text(next: string) {
      if (next === this.#text) return;
      this.#text = next;
      this.#draw(render(next));
    }

    #draw(blocks: readonly string[]): void {
      for (const [index, markup] of blocks.entries()) {
        if (this.#blocks[index] === markup) continue;
        const holder = this.children[index] ?? this.appendChild(document.createElement('div'));
        holder.className = 'block';
        holder.replaceChildren(sanitise(markup));
      }
      while (this.children.length > blocks.length) this.lastElementChild?.remove();
      this.#blocks = blocks;
    }
  }
  customElements.define('chat-markdown', ChatMarkdown);
}
