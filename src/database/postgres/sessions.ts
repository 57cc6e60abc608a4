import { toFailure, unavailable } from './failures.ts';
import { connect, type ConnectOptions, destroy, type Hosts, pidOf, type Session } from './hosts.ts';

const rounds = 4;

/**
 * Throws `unavailable` behind a pooler that gives each transaction another session, and would lose prepared statements and
 * locks: a connection is then answered by several processes, or two connections by one. Closes the connection where it throws.
 * Returns false where it cannot know, because a pooler has no second connection to compare with.
 */
export async function requireSessions(own: Session, hosts: Hosts, options: ConnectOptions): Promise<boolean> {
  // PostgreSQL names the process while connecting; a pooler names none, or one that it made up.
  if ((own.client as unknown as { processID: number | null }).processID === own.pid) return true;
  const endsAt = performance.now() + options.connectTimeoutMs;
  const other = await connect(hosts, options).catch(() => undefined);
  if (!other) return false;
  try {
    let isKept = own.pid !== other.pid;
    for (let round = 0; isKept && round < rounds; round++) {
      // Twice in a row: a pooler that takes its sessions in turn then takes two.
      for (const { client, pid } of [own, own, other]) isKept &&= (await pidOf(client, endsAt)) === pid;
    }
    if (isKept) return true;
    throw unavailable(
      'DATABASE_URL leads to a pooler with pool_mode transaction or statement; set pool_mode = session',
    );
  } catch (error) {
    destroy(own.client);
    throw toFailure(error);
  } finally {
    destroy(other.client);
  }
}
