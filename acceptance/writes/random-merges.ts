import { keepable } from './merge-plan.ts';
import type { Operation } from './operations.ts';
import { nobodys, oneOf, type Random, type Slot, someIncludes } from './slot.ts';

/** A merge, its repetition or undo, or an erasure; undefined where there is nobody for it. */
export function aboutMerges(slot: Slot, random: Random): Operation | undefined {
  const include = someIncludes(random);
  const [live, merged, merges] = [slot.live(), slot.merged(), slot.merges()];
  const kind = random.below(12);
  if (kind === 0) {
    const ids = [...new Set([oneOf([...live, ...slot.deleted(), ...merged], random), nobodys])];
    const reference = random.below(2) === 0 ? { reference: 'Request “7”' } : {};
    return { kind: 'erase', ids: ids.slice(0, 1 + random.below(2)), ...reference, isDry: random.below(4) === 0 };
  }
  if (kind < 4) return { kind: 'undo', id: random.pick(merges)?.id ?? nobodys, include };
  if (kind === 4 && merges.length > 0) {
    const { target, from, keep } = random.pick(merges);
    return { kind: 'merge', id: target, from: from.toReversed(), keep, isDry: false, include };
  }
  if (live.length < 2) return undefined;
  const [id = '', ...others] = live.toSorted(() => random.below(3) - 1);
  const from = others.slice(0, 1 + random.below(3));
  if (random.below(10) === 0) from.push(random.pick([...merged.slice(0, 1), nobodys]));
  const keep: Record<string, string> = {};
  for (let count = random.below(3); count > 0; count--) keep[random.pick(keepable)] = random.pick([id, ...from]);
  const isDry = random.below(6) === 0;
  return {
    kind: 'merge',
    id,
    from,
    keep,
    isDry,
    include: isDry ? include.filter((one) => one !== 'updated_at') : include,
  };
}
