import { holdProgram } from '../assets.ts';
import { readConfig } from '../config/read-config.ts';
import { command, settingsAsOptions } from './parts.ts';

export const serveCommand = command('serve', {
  says: 'serve the API until SIGTERM or SIGINT; SIGHUP reads LOG_LEVEL again',
  examples: ['roster serve', 'PORT=8081 DATABASE_URL=sqlite:/var/lib/roster/roster.db roster serve'],
  settings: 'all',
  options: settingsAsOptions,
  json: false,
  act: async () => {
    const config = readConfig(process.env);
    holdProgram();
    // Imported late, so that the help does not load a server.
    const { serve } = await import('./server.ts');
    await serve(config);
  },
});
