import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { FileChange } from '../core/call.ts';

export type Encoding = FileChange['encoding'];
export const ENCODINGS: readonly Encoding[] = ['utf8', 'utf8bom', 'utf16le', 'utf16be'];

export interface Decoded {
  /** Without byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LE_MARK = Buffer.from([0xff, 0xfe]);
const BE_MARK = Buffer.from([0xfe, 0xff]);

/**
 * Text that encodes back to exactly these bytes, or why there is none: `binary` holds NUL, `encoding` is
 * neither UTF-8 nor UTF-16 with a byte order mark. Nothing is ever replaced on the way.
 */
export function decodeText(bytes: Buffer): Decoded | 'binary' | 'encoding' {
  if (bytes.subarray(0, 2).equals(LE_MARK)) return decodeUtf16(bytes.subarray(2), 'utf16le');
  if (bytes.subarray(0, 2).equals(BE_MARK)) return decodeUtf16(bytes.subarray(2), 'utf16be');
  const marked = bytes.subarray(0, 3).equals(UTF8_MARK);
  const body = marked ? bytes.subarray(3) : bytes;
  if (body.includes(0)) return 'binary';
  if (!isUtf8(body)) return 'encoding';
  return { text: body.toString('utf8'), encoding: marked ? 'utf8bom' : 'utf8' };
}

function decodeUtf16(body: Buffer, encoding: 'utf16le' | 'utf16be'): Decoded | 'binary' | 'encoding' {
  if (body.length % 2 !== 0) return 'encoding';
  const text = (encoding === 'utf16be' ? Buffer.from(body).swap16() : body).toString('utf16le');
  if (text.includes('\0')) return 'binary';
  return text.isWellFormed() ? { text, encoding } : 'encoding';
}

/** Exactly one byte order mark where the encoding has one. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf8': return Buffer.from(text, 'utf8');
    case 'utf8bom': return Buffer.concat([UTF8_MARK, Buffer.from(text, 'utf8')]);
    case 'utf16le': return Buffer.concat([LE_MARK, Buffer.from(text, 'utf16le')]);
    case 'utf16be': return Buffer.concat([BE_MARK, Buffer.from(text, 'utf16le').swap16()]);
  }
}

/** `sha256:<hex>` */
export function digestBytes(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
