import { describe, expect, it } from 'vitest';
import type { Closing, Receipt } from '../../../../src/core/approval/request.ts';
import { answer, brokerWorld, listenersOf, request, settle, type Asked, type BrokerWorld } from './broker-world.ts';

/**
 * Every order of events, not a sample: each word over the alphabet below is played on a broker and on the small
 * model in this file, and the two are compared after each event. A word may repeat an event, so second answers,
 * late timers and cancels after the end are all in it.
 */
type Event = { readonly at: number; readonly what: 'approve' | 'deny' | 'expire' | 'cancel' } | { readonly what: 'dispose' };

interface Slot {
  state: 'queued' | 'waiting' | 'ended';
  how: Closing | undefined;
  /** Whether a person was ever asked. */
  asked: boolean;
}

class Model {
  readonly slots: Slot[] = [];
  readonly #fingerprints: readonly string[];
  constructor(fingerprints: readonly string[]) {
    this.#fingerprints = fingerprints;
    this.slots = fingerprints.map(() => ({ state: 'queued', how: undefined, asked: false }));
    this.#promote();
  }

  play(event: Event): Receipt | undefined {
    if (event.what === 'dispose') {
      for (const slot of this.slots) if (slot.state !== 'ended') this.#end(slot, 'interrupted');
      return undefined;
    }
    const slot = this.slots[event.at]!;
    if (event.what === 'cancel') {
      if (slot.state !== 'ended') this.#end(slot, 'cancelled');
      this.#promote();
      return undefined;
    }
    if (event.what === 'expire') {
      if (slot.state === 'waiting') this.#end(slot, 'expired');
      this.#promote();
      return undefined;
    }
    if (!slot.asked) return 'unknown_request';
    if (slot.state === 'ended') return 'already_answered';
    this.#end(slot, event.what === 'approve' ? 'approved' : 'denied');
    this.#promote();
    return 'accepted';
  }

  #end(slot: Slot, how: Closing): void {
    slot.state = 'ended';
    slot.how = how;
  }

  /** The first queued one of each fingerprint of which none waits. */
  #promote(): void {
    for (const [index, slot] of this.slots.entries()) {
      const taken = this.slots.some((other, at) => other.state === 'waiting' && this.#fingerprints[at] === this.#fingerprints[index]);
      if (slot.state !== 'queued' || taken) continue;
      slot.state = 'waiting';
      slot.asked = true;
    }
  }
}

function alphabet(count: number): readonly Event[] {
  const each = Array.from({ length: count }, (_, at) => (['approve', 'deny', 'expire', 'cancel'] as const).map((what) => ({ at, what })));
  return [...each.flat(), { what: 'dispose' }];
}

function* words(letters: readonly Event[], length: number): Generator<readonly Event[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const word of words(letters, length - 1)) for (const letter of letters) yield [...word, letter];
}

/** What the broker said, for an answer; nothing for what is no answer. */
function play(event: Event, world: BrokerWorld, asked: readonly Asked[]): Receipt | undefined {
  if (event.what === 'dispose') {
    world.broker.dispose();
    return undefined;
  }
  const { request: one, controller } = asked[event.at]!;
  if (event.what === 'cancel') controller.abort();
  else if (event.what === 'expire') world.clock.timers.get(timerOf(event.at))?.();
  else return world.broker.answer(answer(one.id, event.what, { fingerprint: one.fingerprint }));
  return undefined;
}

const timerOf = (at: number): number => 60_000 + at;

/** What differs between broker and model, or undefined. Strings, so that a million comparisons stay cheap. */
function difference(world: BrokerWorld, asked: readonly Asked[], model: Model): string | undefined {
  const live = model.slots.flatMap((slot, at) => (slot.state === 'waiting' ? [`r${at}`] : [])).join();
  const is = {
    pending: world.broker.pending().map(({ id }) => id).toSorted().join(),
    shown: [...world.glass.open_].toSorted().join(),
    timers: [...world.clock.timers.keys()].toSorted((a, b) => a - b).map((ms) => `r${ms - 60_000}`).join(),
  };
  for (const [what, value] of Object.entries(is)) if (value !== live) return `${what} is [${value}], not [${live}]`;
  for (const [at, slot] of model.slots.entries()) {
    const { outcomes, errors } = asked[at]!;
    const ends = outcomes.map(({ how }) => how).join();
    if (errors.length > 0 || ends !== (slot.how ?? '')) return `r${at} ended [${ends}], not [${slot.how ?? ''}]`;
    if (slot.state === 'ended' && listenersOf(asked[at]!) !== 0) return `r${at} left a listener`;
    const answered = outcomes[0]?.answer !== undefined;
    if (answered !== (slot.how === 'approved' || slot.how === 'denied')) return `r${at} has ${answered ? 'an' : 'no'} answer`;
  }
  return undefined;
}

async function run(word: readonly Event[], fingerprints: readonly string[]): Promise<string | undefined> {
  const world = brokerWorld();
  const asked = fingerprints.map((fingerprint, at) => world.ask(request(`r${at}`, fingerprint, { expiresAt: 1_000 + timerOf(at) })));
  const model = new Model(fingerprints);
  await settle();
  let wrong = difference(world, asked, model);
  for (const [index, event] of [...word, { what: 'dispose' } as const].entries()) {
    if (wrong !== undefined) return `${JSON.stringify(word)} before event ${index}: ${wrong}`;
    const expected = model.play(event);
    const receipt = play(event, world, asked);
    await settle();
    wrong = receipt === expected ? difference(world, asked, model) : `answered ${String(receipt)}, not ${String(expected)}`;
  }
  return wrong === undefined ? undefined : `${JSON.stringify(word)}: ${wrong}`;
}

const PLANS: readonly (readonly [string, readonly string[], number])[] = [
  ['one request', ['a'], 5],
  ['two requests', ['a', 'b'], 4],
  ['two requests for the same', ['a', 'a'], 4],
  ['three requests', ['a', 'b', 'c'], 3],
  ['three requests, two for the same', ['a', 'b', 'a'], 4],
  ['three requests for the same', ['a', 'a', 'a'], 4],
];

describe('every order of approve, deny, expiry, cancel and dispose', () => {
  it.each(PLANS)('%s %j, words of %i events', async (_, fingerprints, length) => {
    const letters = alphabet(fingerprints.length);
    const wrong: string[] = [];
    let played = 0;
    for (const word of words(letters, length)) {
      const difference = await run(word, fingerprints);
      if (difference !== undefined && wrong.length < 5) wrong.push(difference);
      played += 1;
    }
    expect(wrong).toEqual([]);
    expect(played).toBe(letters.length ** length);
  }, 120_000);
});
