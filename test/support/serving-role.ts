import { randomUUID } from 'node:crypto';

import { administer } from './postgres.ts';

/** A role that may do what `serve` does, on this database. */
export async function servingRole(databaseUrl: string) {
  const role = `serving_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(databaseUrl);
  url.username = role;
  await administer(
    databaseUrl,
    `create role ${role} login`,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () =>
      void (await administer(databaseUrl, `drop owned by ${role}`, `drop role ${role}`)),
  };
}
