/**
 * The agent's text as safe HTML. It is a stranger's text: no HTML of its own, no picture, no link that the
 * browser could follow by itself. A link shows its address and is only ever handed to the host.
 */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { isRelativePath, isWebAddress } from '../addresses.ts';

const TAGS = [
  'p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'em', 'strong', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'table',
  'thead', 'tbody', 'tr', 'th', 'td', 'a', 'span', 'div', 'button',
];
const ATTRIBUTES = ['class', 'start', 'role', 'tabindex', 'type', 'aria-label', 'title', 'data-link', 'data-file', 'data-copy'];

/** Beyond this many characters the text is drawn as plain text: a parser must not hold up the view. */
export const MAX_MARKDOWN = 200_000;

export type BlockRenderer = (text: string) => readonly string[];

/** Renders top-level blocks one by one, so that a block that did not change is left alone in the document. */
export function createRenderer(): BlockRenderer {
  const md = new MarkdownIt({ html: false, linkify: false, breaks: false, typographer: false, maxNesting: 50 });
  const escape = md.utils.escapeHtml;
  md.validateLink = (url) => isWebAddress(url) || isRelativePath(safeDecode(url));
  const { rules } = md.renderer;
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const address = String(token?.attrGet('src') ?? '');
    return `<span class="no-picture">${escape(`[picture: ${token?.content ?? ''}] ${address}`)}</span>`;
  };
  rules['link_open'] = (tokens, index) => {
    const address = String(tokens[index]?.attrGet('href') ?? '');
    return isWebAddress(address)
      ? `<a class="link" role="link" tabindex="0" data-link="${escape(address)}">`
      : `<a class="link" role="link" tabindex="0" data-file="${escape(safeDecode(address))}">`;
  };
  rules['link_close'] = (tokens, index) => {
    const open = tokens.slice(0, index).findLast(({ type }) => type === 'link_open');
    const address = String(open?.attrGet('href') ?? '');
    const label = tokens.slice(tokens.indexOf(open as (typeof tokens)[number]) + 1, index).map(({ content }) => content).join('');
    const shown = label === address || label === safeDecode(address) ? '' : ` <span class="address">(${escape(address)})</span>`;
    return `${shown}</a>`;
  };
  const block = (code: string, language: string): string => `<div class="code-block"><div class="code-head"><span>${escape(language)}</span>`
    + '<button type="button" class="icon-button" data-copy="1" aria-label="Copy code" title="Copy">'
    + `<span class="codicon codicon-copy"></span></button></div><pre tabindex="0"><code>${escape(code)}</code></pre></div>`;
  rules['fence'] = (tokens, index) => block(tokens[index]?.content ?? '', (tokens[index]?.info ?? '').trim().split(/\s/)[0]?.slice(0, 30) ?? '');
  rules['code_block'] = (tokens, index) => block(tokens[index]?.content ?? '', '');
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
  rules['table_close'] = () => '</table></div>';
  return (text) => {
    if (text.length > MAX_MARKDOWN) return [`<p class="plain">${escape(text)}</p>`];
    const env = {};
    const tokens = md.parse(text, env);
    const blocks: string[] = [];
    let from = 0;
    let depth = 0;
    for (const [index, token] of tokens.entries()) {
      depth += token.nesting;
      if (depth !== 0) continue;
      blocks.push(md.renderer.render(tokens.slice(from, index + 1), md.options, env));
      from = index + 1;
    }
    return blocks;
  };
}

function safeDecode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** The second lock: whatever the renderer made, only these tags and attributes get into the document. */
export function sanitise(markup: string): DocumentFragment {
  return DOMPurify.sanitize(markup, {
    ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, RETURN_DOM_FRAGMENT: true,
  });
}
