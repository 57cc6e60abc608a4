import { createApiKey } from './api-keys/create.ts';
import { listApiKeys } from './api-keys/list.ts';
import { retrieveApiKey } from './api-keys/retrieve.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { rotateApiKey } from './api-keys/rotate.ts';
import { updateApiKey } from './api-keys/update.ts';
import { createChatbot } from './chatbots/create.ts';
import { listChatbots } from './chatbots/list.ts';
import { importContacts } from './contacts/import.ts';
import { retrieveContact } from './contacts/retrieve.ts';
import { listEvents } from './event-feed.ts';
import { importMembers } from './members/import.ts';
import { listMembers } from './members/list.ts';
import { createProject } from './projects/create.ts';
import { listProjects } from './projects/list.ts';

export const operations = [
  createProject,
  listProjects,
  createChatbot,
  listChatbots,
  importContacts,
  retrieveContact,
  importMembers,
  listMembers,
  createApiKey,
  listApiKeys,
  retrieveApiKey,
  rotateApiKey,
  updateApiKey,
  revokeApiKey,
  listEvents,
] as const;
