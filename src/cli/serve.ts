import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { examples } from './parts.ts';

export function serveCommand(parent: Command): void {
  parent
    .command('serve')
    .description('serve the API until SIGTERM or SIGINT')
    .addHelpText(
      'after',
      examples(
        'roster serve',
        'HOST=0.0.0.0 PORT=80 DATABASE_URL=sqlite:/var/lib/roster/roster.db roster serve',
      ),
    )
    .action(async () => {
      const config = readConfig(process.env);
      // Loaded here and not above: the help of all commands should not wait for a server.
      const { serve } = await import('./service.ts');
      await serve(config);
    });
}
