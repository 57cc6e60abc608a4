import type { Command } from 'commander';

import { readConfig } from '../config/settings.ts';
import { describe, settingsAsOptions } from './parts.ts';

export function serveCommand(parent: Command): void {
  const command = describe(
    parent.command('serve'),
    'serve the API until SIGTERM or SIGINT; SIGHUP reads LOG_LEVEL again',
    ['roster serve', 'PORT=8081 DATABASE_URL=sqlite:/var/lib/roster/roster.db roster serve'],
    { settings: 'all' },
  );
  settingsAsOptions(command).action(async () => {
    const config = readConfig(process.env);
    // Imported late, so that the help does not load a server.
    const { serve } = await import('./server.ts');
    await serve(config);
  });
}
