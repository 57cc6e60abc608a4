import type { ApiKey } from './api-keys/api-key.ts';
import { AppError } from './errors.ts';
import type { Maker, RequiredScope, Right } from './rights.ts';
import type { Session } from './sign-in/session.ts';
import { idLengthMax } from './values/text.ts';

export interface Actor extends Maker {
  readonly projectId: string;
  /** `all` also covers what no key may do. */
  readonly scopes: readonly Right[] | 'all';
  readonly requestId: string | null;
  readonly key?: ApiKey;
  readonly session?: Session;
}

export function makerOf({ type, id }: Actor): Maker {
  return { type, id };
}

let operatorId = 'cli';

export function nameOperator(user: string): void {
  operatorId = `cli:${user}`.slice(0, idLengthMax);
}

export function operator(projectId: string): Actor {
  return { type: 'operator', id: operatorId, projectId, scopes: 'all', requestId: null };
}

export function invited(memberId: string, projectId: string, requestId: string): Actor {
  return { type: 'member', id: memberId, projectId, scopes: 'all', requestId };
}

export function job(name: string, projectId: string): Actor {
  return { type: 'job', id: name, projectId, scopes: 'all', requestId: null };
}

export function covers(scopes: Actor['scopes'], required: RequiredScope): boolean {
  if (scopes === 'all' || required === 'any-key') return true;
  return required !== null && required !== 'invitation' && scopes.includes(required);
}

/** Throws `insufficient_scope`. An operation without a scope is for operators and jobs. */
export function requireScope({ scopes: granted }: Actor, required: RequiredScope): void {
  if (covers(granted, required)) return;
  const scope = required ?? '';
  throw new AppError('insufficient_scope', `The API key lacks the scope ${scope}`, { scope });
}
