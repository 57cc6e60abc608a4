import { AppError } from '../errors.ts';
import { hasAtMost, isId, isStorable } from '../values/identifier.ts';
import type { Timestamp } from '../values/timestamp.ts';

export interface Project {
  id: string;
  name: string;
  created_at: Timestamp;
}

export interface StoredProject extends Project {
  revision: number;
}

/** A limit that is none, as Chatling has it. */
export const unlimited = 2_147_483_647;

export interface LimitedProject extends StoredProject {
  seats_max: number;
  chatbots_max: number;
  contacts_max: number;
}

export const limits = ['seats_max', 'chatbots_max', 'contacts_max'] as const;

export function requireName(text: string): string {
  const name = text.trim();
  if (/\brst_[0-9A-Za-z]{36}\b/.test(name)) {
    const errors = [{ field: 'name', code: 'not_allowed', message: 'must hold no API key' }] as const;
    throw new AppError('invalid', 'A name holds no API key', { errors });
  }
  if (name !== '' && isStorable(name) && hasAtMost(name, 255)) return name;
  throw new AppError('invalid', 'A name has 1 to 255 characters');
}

export function requireId(id: string, noun: 'project' | 'chatbot'): string {
  if (isId(id)) return id;
  throw new AppError('invalid', `A ${noun} id has 1 to 64 characters`);
}
