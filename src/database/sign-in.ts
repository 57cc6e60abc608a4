import type { Role } from '../members/member.ts';
import { isAlive, oldestUse, type Session } from '../sign-in/session.ts';
import type { MemberAccess, Passkey, SignInLink, SignInReads, SignInWrites } from '../sign-in/store.ts';
import type { Store } from '../store.ts';
import { once } from '../values/once.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Access, Database, Transaction } from './database.ts';
import { insertInto, orUpdate, type Sql, sql } from './sql.ts';

const sessionColumns = sql`project_id, id, member_id, method, roles, user_agent, created_at, last_used_at, verified_at, expires_at`;
const passkeyColumns = sql`project_id, id, member_id, name, credential_id, public_key, sign_count, transports, challenged_at, created_at, last_used_at`;

const sessionsOfMemberMax = 20;

type SessionRow = Omit<Session, 'roles'> & { roles: string };

type PasskeyRow = Omit<Passkey, 'transports'> & { transports: string };

export function signInReads(access: Access): SignInReads {
  return {
    findSession: async (tokenHash) => {
      const query = sql`select ${sessionColumns} from sessions where token_hash = ${tokenHash}`;
      const row = await access.first<SessionRow>(query);
      const session = row && toSession(row);
      return session && isAlive(session) ? session : undefined;
    },
    listSessions: async (projectId, memberId) => {
      const query = sql`select ${sessionColumns} from sessions
        where project_id = ${projectId} and member_id = ${memberId} order by last_used_at desc, id desc`;
      const rows = await access.all<SessionRow>(query);
      return rows.map(toSession).filter((session) => isAlive(session));
    },
    findLink: async (tokenHash) => {
      const row = await access.first<SignInLink & { member_id: string }>(
        sql`select project_id, member_id, verified_at, expires_at from sign_in_links where token_hash = ${tokenHash}`,
      );
      if (!row || row.expires_at <= formatTimestamp(new Date())) return undefined;
      return { ...row, member_id: row.member_id === '' ? null : row.member_id };
    },
    findPasskey: async (credentialId) => {
      const query = sql`select ${passkeyColumns} from passkeys where credential_id = ${credentialId}`;
      const row = await access.first<PasskeyRow>(query);
      return row && toPasskey(row);
    },
    listPasskeys: async (projectId, memberId) => {
      const query = sql`select ${passkeyColumns} from passkeys
        where project_id = ${projectId} and member_id = ${memberId} order by id`;
      return (await access.all<PasskeyRow>(query)).map(toPasskey);
    },
    listAccess: async (projectId) => {
      const rows = await access.all<Omit<MemberAccess, 'has_passkey'> & { passkeys: number }>(
        sql`select member_id, max(seen_at) as last_seen_at, sum(passkeys) as passkeys, max(ends_at) as invitation_expires_at
          from (
            select member_id, last_used_at as seen_at, 0 as passkeys, null as ends_at from sessions
              where project_id = ${projectId}
            union all select member_id, last_used_at, 1, null from passkeys where project_id = ${projectId}
            union all select member_id, null, 0, expires_at from invitations where project_id = ${projectId}
          ) known group by member_id order by member_id`,
      );
      return rows.map(({ passkeys, member_id, last_seen_at, invitation_expires_at }) => {
        return { member_id, last_seen_at, has_passkey: passkeys > 0, invitation_expires_at };
      });
    },
    secret: once(async () => {
      const row = await access.first<{ secret: string }>(sql`select secret from sign_in_secret`);
      if (!row) throw new Error('the secret of the sign-in is missing');
      return row.secret;
    }),
  };
}

export function signInWrites(connection: Transaction): SignInWrites {
  const changesOne = async (statement: Sql) => (await connection.run(statement)) === 1;
  return {
    insertSession: async (session, tokenHash) => {
      const { project_id: projectId, member_id: memberId } = session;
      const now = new Date();
      await connection.run(
        sql`delete from sessions where project_id = ${projectId}
          and (expires_at <= ${formatTimestamp(now)} or last_used_at <= ${oldestUse(now)})`,
      );
      await connection.run(
        sql`delete from sessions where project_id = ${projectId} and member_id = ${memberId} and id not in (
          select id from sessions where project_id = ${projectId} and member_id = ${memberId}
          order by last_used_at desc, id desc limit ${sessionsOfMemberMax - 1})`,
      );
      const row = { ...session, roles: session.roles.join(), token_hash: tokenHash };
      await connection.run(insertInto('sessions', row));
    },
    renewSession: async (projectId, sessionId, at) => {
      await connection.run(
        sql`update sessions set verified_at = ${at} where project_id = ${projectId} and id = ${sessionId}`,
      );
    },
    endSession: (projectId, memberId, sessionId) =>
      changesOne(
        sql`delete from sessions where project_id = ${projectId} and id = ${sessionId} and member_id = ${memberId}`,
      ),
    endSessions: (projectId, memberId, keptId = '') =>
      connection.run(
        sql`delete from sessions where project_id = ${projectId} and member_id = ${memberId} and id <> ${keptId}`,
      ),
    keepLink: async (link, tokenHash) => {
      const row = { ...link, member_id: link.member_id ?? '', token_hash: tokenHash };
      await connection.run(
        sql`${insertInto('sign_in_links', row)}
          ${orUpdate('project_id, member_id', ['token_hash', 'verified_at', 'expires_at'])}`,
      );
    },
    forgetLink: async (projectId, memberId) => {
      await connection.run(sql`delete from sign_in_links where project_id = ${projectId} and member_id = ${memberId}`);
    },
    endLink: (projectId, tokenHash) =>
      changesOne(sql`delete from sign_in_links where project_id = ${projectId} and token_hash = ${tokenHash}`),
    insertPasskey: (passkey) => {
      const row = insertInto('passkeys', { ...passkey, transports: passkey.transports.join() });
      return changesOne(sql`${row} on conflict do nothing`);
    },
    usePasskey: ({ project_id: projectId, id, sign_count: count, challenged_at: at, last_used_at: lastUsedAt }) =>
      changesOne(
        sql`update passkeys set sign_count = ${count}, challenged_at = ${at}, last_used_at = ${lastUsedAt}
          where project_id = ${projectId} and id = ${id} and challenged_at < ${at}`,
      ),
    removePasskey: (projectId, memberId, passkeyId) =>
      changesOne(
        sql`delete from passkeys where project_id = ${projectId} and id = ${passkeyId} and member_id = ${memberId}`,
      ),
    removePasskeys: (projectId, memberId) =>
      connection.run(sql`delete from passkeys where project_id = ${projectId} and member_id = ${memberId}`),
  };
}

export async function forgetSignIn(connection: Transaction, projectId: string, memberId: string): Promise<void> {
  await connection.run(sql`delete from sessions where project_id = ${projectId} and member_id = ${memberId}`);
  await connection.run(sql`delete from passkeys where project_id = ${projectId} and member_id = ${memberId}`);
  await connection.run(sql`delete from sign_in_links where project_id = ${projectId} and member_id = ${memberId}`);
}

export function touchSession(database: Database): Store['touchSession'] {
  return async ({ project_id: projectId, id }, at) => {
    await database.run(sql`update sessions set last_used_at = ${at} where project_id = ${projectId} and id = ${id}`);
  };
}

function toSession({ roles, ...row }: SessionRow): Session {
  return { ...row, roles: roles.split(',') as Role[] };
}

function toPasskey({ transports, ...row }: PasskeyRow): Passkey {
  return { ...row, transports: transports === '' ? [] : transports.split(',') };
}
