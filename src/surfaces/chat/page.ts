/** The view's document: no remote content of any kind, scripts only by nonce, and no picture at all. */
export interface PageParts {
  /** The origin that serves our own files, as the editor names it. */
  readonly cspSource: string;
  /** Addresses of `chat.js`, `chat.css` and `codicon.css`. */
  readonly script: string;
  readonly style: string;
  readonly icons: string;
  readonly nonce: string;
  /** 128 random bits that make an answer ours. */
  readonly token: string;
}

export function pageOf({ cspSource, script, style, icons, nonce, token }: PageParts): string {
  const policy = [
    "default-src 'none'", `script-src 'nonce-${nonce}'`, `style-src ${cspSource} 'nonce-${nonce}'`, `font-src ${cspSource}`,
    "img-src 'none'", "connect-src 'none'", "frame-src 'none'", "form-action 'none'", "base-uri 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice</title>
<link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(icons)}">
<link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(style)}">
<script type="application/json" id="bootstrap" nonce="${attribute(nonce)}">${JSON.stringify({ token }).replaceAll('<', '\\u003c')}</script>
</head>
<body>
<div id="chat"></div>
<script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** `bytes` random bytes in hex. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
