/** Bounds of the messages, in characters; refused beyond them, not cut. */
export const MAX_TEXT = 100_000;
export const MAX_REASON = 2_000;
/** Most events in one message to the view; more than that, and the state is sent instead. */
export const MAX_EVENTS = 400;
