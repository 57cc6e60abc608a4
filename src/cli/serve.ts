import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { describe } from './parts.ts';

export function serveCommand(parent: Command): void {
  describe(parent.command('serve'), 'serve the API until SIGTERM or SIGINT', [
    'roster serve',
    'HOST=0.0.0.0 PORT=80 DATABASE_URL=sqlite:/var/lib/roster/roster.db roster serve',
  ]).action(async () => {
    const config = readConfig(process.env);
    // Imported late, so that the help does not load a server.
    const { serve } = await import('./server.ts');
    await serve(config);
  });
}
