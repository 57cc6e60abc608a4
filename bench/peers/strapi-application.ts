import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Application {
  port: number;
  secret: string;
  /** Path of the SQLite file. */
  database: string;
  /** Of the content type `contact`, all of them short texts. */
  attributes: readonly string[];
}

const factories = {
  createCoreController: 'controllers',
  createCoreRouter: 'routes',
  createCoreService: 'services',
};

/** Writes an application as Strapi's template makes it, with one content type. */
export function writeApplication(folder: string, application: Application): void {
  const files: Record<string, string> = {
    // Strapi starts only where it is a dependency; the packages are in the folder above.
    'package.json': JSON.stringify({ name: 'bench', private: true, dependencies: { '@strapi/strapi': '5' } }),
    'public/robots.txt': '',
    'public/uploads/.gitkeep': '',
    'favicon.png': '',
    'src/index.js': 'module.exports = {};',
    'src/api/contact/content-types/contact/schema.json': JSON.stringify(contentType(application)),
  };
  for (const [name, value] of Object.entries(settings(application))) {
    files[`config/${name}.js`] = `module.exports = ${JSON.stringify(value)};`;
  }
  for (const [part, parts] of Object.entries(factories)) {
    files[`src/api/contact/${parts}/contact.js`] =
      `module.exports = require('@strapi/strapi').factories.${part}('api::contact.contact');`;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function contentType({ attributes }: Application) {
  return {
    kind: 'collectionType',
    collectionName: 'contacts',
    info: { singularName: 'contact', pluralName: 'contacts', displayName: 'Contact' },
    options: { draftAndPublish: false },
    attributes: Object.fromEntries(attributes.map((name) => [name, { type: 'string' }])),
  };
}

const middlewares = ['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public'];

function settings({ port, secret, database }: Application) {
  return {
    server: {
      host: '127.0.0.1',
      port,
      app: { keys: [secret] },
      logger: { updates: { enabled: false }, startup: { enabled: false }, config: { level: 'warn' } },
    },
    admin: {
      serveAdminPanel: false,
      auth: { secret },
      apiToken: { salt: secret },
      transfer: { token: { salt: secret } },
      secrets: { encryptionKey: secret },
    },
    database: {
      connection: { client: 'sqlite', connection: { filename: database }, useNullAsDefault: true },
    },
    middlewares: middlewares.map((name) => `strapi::${name}`),
  };
}
