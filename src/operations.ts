import { createApiKey } from './api-keys/create.ts';
import { listApiKeys } from './api-keys/list.ts';
import { createManagedKey } from './api-keys/manage.ts';
import { retrieveApiKey } from './api-keys/retrieve.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { rotateApiKey } from './api-keys/rotate.ts';
import { updateApiKey } from './api-keys/update.ts';
import { createChatbot, takeOverChatbot } from './chatbots/create.ts';
import { deleteChatbot } from './chatbots/delete.ts';
import { listAllChatbots, listChatbots, listChatbotTemplates } from './chatbots/list.ts';
import { mirrorChatbot } from './chatbots/mirror.ts';
import { retrieveChatbot } from './chatbots/retrieve.ts';
import { updateChatbot } from './chatbots/update.ts';
import { bulkContacts } from './contacts/bulk.ts';
import { createContact } from './contacts/create.ts';
import { deleteContact } from './contacts/delete.ts';
import { discloseContacts } from './contacts/disclose.ts';
import { dismissDuplicates } from './contacts/duplicates/dismiss.ts';
import { findDuplicates } from './contacts/duplicates/find.ts';
import { suggestDuplicates } from './contacts/duplicates/suggest.ts';
import { eraseContacts } from './contacts/erase.ts';
import { listFieldValues } from './contacts/field-values.ts';
import { importContactRows } from './contacts/import-rows.ts';
import { importContacts } from './contacts/import.ts';
import { listContacts } from './contacts/list.ts';
import { lookUpAllContacts, lookUpContacts } from './contacts/lookup.ts';
import { listMerges } from './contacts/merging/list.ts';
import { mergeContacts } from './contacts/merging/merge.ts';
import { forgetMerges, undoMerge } from './contacts/merging/undo.ts';
import { purgeBin } from './contacts/purge.ts';
import { recordExport } from './contacts/record-export.ts';
import { restoreContact } from './contacts/restore.ts';
import { retrieveContact } from './contacts/retrieve.ts';
import { exportFound, findPeople, searchContacts, searchAllContacts } from './contacts/search.ts';
import { updateContact } from './contacts/update.ts';
import { upsertContact } from './contacts/upsert.ts';
import { listActivity } from './events/activity.ts';
import { listEvents, listRecentEvents } from './events/feed.ts';
import { purgeEvents, purgeIdempotencyKeys } from './events/retention.ts';
import { acceptInvitation } from './members/accept.ts';
import { importMembers } from './members/import.ts';
import { inviteMember, reinviteMember } from './members/invite.ts';
import { listMembers } from './members/list.ts';
import { removeMember } from './members/remove.ts';
import { retrieveMember } from './members/retrieve.ts';
import { transferOwnership, transferOwnershipTo } from './members/transfer.ts';
import { updateMember } from './members/update.ts';
import { createProject } from './projects/create.ts';
import { deleteProject } from './projects/delete.ts';
import { limitProject } from './projects/limits.ts';
import { listProjects } from './projects/list.ts';
import { retrieveProjectSettings, updateProjectSettings } from './projects/settings.ts';
import { retrieveChatbotUsage, retrieveContactUsage, retrieveUserSeats } from './projects/usage.ts';
import { listMemberAccess } from './sign-in/access.ts';
import { createSetupLink, createSignInLink } from './sign-in/link.ts';
import { listPasskeys, registerPasskey, removePasskey } from './sign-in/passkeys.ts';
import { endSession, listSessions, renewSession, retrieveSession, signOutMember } from './sign-in/sessions.ts';
import { appointOwner } from './sign-in/set-up.ts';
import { joinProject, setUpProject, signInByLink, signInByPasskey } from './sign-in/sign-in.ts';
import { endWebhook, noteAttempts } from './webhooks/attempts.ts';
import { createWebhook } from './webhooks/create.ts';
import { deleteWebhook } from './webhooks/delete.ts';
import { listDeliveries } from './webhooks/deliveries.ts';
import { listWebhooks, retrieveWebhook } from './webhooks/list.ts';
import { replayWebhook } from './webhooks/replay.ts';
import { rotateWebhook } from './webhooks/rotate.ts';
import { testWebhook } from './webhooks/test.ts';
import { updateWebhook } from './webhooks/update.ts';

export const operations = [
  createProject,
  listProjects,
  limitProject,
  retrieveProjectSettings,
  updateProjectSettings,
  deleteProject,
  retrieveUserSeats,
  retrieveChatbotUsage,
  retrieveContactUsage,
  createChatbot,
  takeOverChatbot,
  mirrorChatbot,
  listChatbots,
  listAllChatbots,
  listChatbotTemplates,
  retrieveChatbot,
  updateChatbot,
  deleteChatbot,
  importContacts,
  listFieldValues,
  importContactRows,
  recordExport,
  listContacts,
  createContact,
  upsertContact,
  bulkContacts,
  lookUpContacts,
  lookUpAllContacts,
  discloseContacts,
  eraseContacts,
  searchContacts,
  searchAllContacts,
  exportFound,
  findPeople,
  retrieveContact,
  updateContact,
  deleteContact,
  restoreContact,
  findDuplicates,
  dismissDuplicates,
  suggestDuplicates,
  purgeBin,
  mergeContacts,
  listMerges,
  undoMerge,
  forgetMerges,
  importMembers,
  listMembers,
  inviteMember,
  reinviteMember,
  acceptInvitation,
  retrieveMember,
  updateMember,
  removeMember,
  transferOwnership,
  transferOwnershipTo,
  createApiKey,
  listApiKeys,
  retrieveApiKey,
  rotateApiKey,
  updateApiKey,
  revokeApiKey,
  createManagedKey,
  createSignInLink,
  createSetupLink,
  signInByLink,
  setUpProject,
  appointOwner,
  joinProject,
  signInByPasskey,
  retrieveSession,
  listSessions,
  listMemberAccess,
  renewSession,
  endSession,
  listPasskeys,
  signOutMember,
  registerPasskey,
  removePasskey,
  listEvents,
  listRecentEvents,
  listActivity,
  purgeEvents,
  purgeIdempotencyKeys,
  createWebhook,
  listWebhooks,
  retrieveWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhook,
  replayWebhook,
  listDeliveries,
  noteAttempts,
  endWebhook,
] as const;
