import { buildDocument } from './openapi-document.ts';
import { writeGenerated } from './support/generated.ts';

writeGenerated('openapi.json', JSON.stringify(buildDocument()), 'npm run openapi');
