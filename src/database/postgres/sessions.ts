import { toFailure, unavailable } from './failures.ts';
import { connect, type ConnectOptions, destroy, type Hosts, pidOf, type PostgresSession } from './hosts.ts';

const rounds = 4;

/** Throws `unavailable`, closing `own`, behind a pooler that switches sessions; false if it gives no second one. */
export async function requireSessions(own: PostgresSession, hosts: Hosts, options: ConnectOptions): Promise<boolean> {
  // PostgreSQL sends its pid while connecting; a pooler sends none, or an invented one.
  if ((own.client as unknown as { processID: number | null }).processID === own.pid) return true;
  const endsAt = performance.now() + options.connectTimeoutMs;
  const other = await connect(hosts, options).catch(() => undefined);
  if (!other) return false;
  try {
    // Switching loses statements and locks. It shows when several backends answer one connection, or one answers both.
    let isKept = own.pid !== other.pid;
    for (let round = 0; isKept && round < rounds; round++) {
      // Ask twice in a row: a round-robin pooler then uses two sessions.
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
