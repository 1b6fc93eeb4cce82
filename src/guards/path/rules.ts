import { CONTENT_RULES } from './rules/list-contents.ts';
import { PLACE_RULES } from './rules/list-places.ts';
import type { PathRule } from './subject.ts';

/** Every rule about paths. All of them look at every path; the strictest answer wins. */
export const PATH_RULES: readonly PathRule[] = [...CONTENT_RULES, ...PLACE_RULES];
