import { resolve } from 'node:path';

import { SourceError } from '../chatling/requests.ts';
import { sqlitePath } from '../database/open-store.ts';
import { isDamaged } from '../database/sqlite/failures.ts';
import { isThere, orStrayLog } from '../database/sqlite/file.ts';
import { AppError } from '../errors.ts';

/** The kind and place of a database, with neither user nor password. */
export function databaseAt(url: string): string {
  const path = sqlitePath(url);
  if (path !== undefined) return `sqlite database ${resolve(path)}`;
  const [, hosts = '', name = ''] = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^@/?]*)\/([^/?]+)/.exec(url) ?? [];
  return `postgres database ${name}${hosts === '' ? '' : ` on ${hosts}`}`;
}

/** Whether opening it makes a database, which may be a slip in its path. */
export function isNew(url: string): boolean {
  const path = sqlitePath(url);
  return path !== undefined && !isThere(path);
}

/** Names the database where it refuses, or lacks what was asked for. */
export async function naming<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (!(error instanceof AppError) || !['unavailable', 'not_found'].includes(error.code)) throw error;
    const { code, errors, about, cause } = error;
    throw new AppError(code, named(error, url), { ...(errors && { errors }), ...(about && { about }), cause });
  }
}

function named(error: AppError, url: string): string {
  const path = sqlitePath(url);
  const place = databaseAt(url);
  if (error.message.includes(path === undefined ? place : resolve(path))) return error.message;
  const message =
    path !== undefined && isDamaged(error)
      ? error.message.replace('is damaged', `is damaged${orStrayLog(path)}`)
      : error.message;
  const inside = message.replace(/\b(the|this) (store|database)\b(?! file)/i, (_, article: string) =>
    article === 'The' ? `The ${place}` : `the ${place}`,
  );
  return inside === message ? message.replace(/(?=;)|\.?$/, (end) => ` in ${place}${end}`) : inside;
}
