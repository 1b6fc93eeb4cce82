import { z } from 'zod';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** A path as a person could type it: one line, bounded. */
export const pathParameter = z.string().min(1).max(4_096)
  .refine((path) => !CONTROL.test(path), { error: 'a path cannot hold control characters' });

/** Text that goes into a text file. NUL would make the file binary; half a character has no encoded form. */
export function fileTextParameter(limit: number): z.ZodString {
  return z.string().max(limit)
    .refine((text) => !text.includes('\0'), { error: 'NUL cannot be written by a text tool' })
    .refine((text) => text.isWellFormed(), { error: 'holds half of a surrogate pair, which has no encoded form' });
}

/** A command part: anything but NUL, which would end it. */
export function commandPartParameter(limit: number): z.ZodString {
  return z.string().max(limit).refine((part) => !part.includes('\0'), { error: 'a command cannot hold NUL' });
}

/** 1-based. The bound replaces the 16-digit ones that `int()` would put into every request. */
export const lineParameter = z.int().min(1).max(1_000_000_000);

export const timeoutParameter = z.number().min(1).max(86_400);
