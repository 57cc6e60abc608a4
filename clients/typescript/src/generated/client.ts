// Made of openapi.json by `npm run openapi`; do not edit.

import type { Answer, List } from '../answer.ts';
import { Caller } from '../caller.ts';
import type { ChangeOptions, ClientOptions, KeyedOptions, RequestOptions } from '../options.ts';
import { operations } from './operations.ts';
import type {
  AcceptInvitationInput,
  AcceptedInvitation,
  ApiKey,
  BulkContactsInput,
  BulkContactsResult,
  Chatbot,
  Contact,
  ContactInProject,
  CreateChatbotInput,
  CreateContactInput,
  CreateContactResult,
  CreateWebhookInput,
  DeleteContactInput,
  DeleteWebhookInput,
  DiscloseContactsInput,
  DiscloseContactsResult,
  DismissDuplicatesInput,
  Duplicates,
  EraseContactsInput,
  EraseContactsResult,
  Event,
  FindDuplicatesInput,
  FindDuplicatesResult,
  GetLivenessResult,
  GetReadinessResult,
  InviteMemberInput,
  InvitedMember,
  ListChatbotTemplatesInput,
  ListChatbotTemplatesResult,
  ListChatbotsInput,
  ListChatbotsResult,
  ListContactsInput,
  ListContactsResult,
  ListDeliveriesInput,
  ListDeliveriesResult,
  ListEventsInput,
  ListEventsResult,
  ListMembersInput,
  ListMembersResult,
  ListWebhooksInput,
  ListWebhooksResult,
  LookUpAllContactsInput,
  LookUpAllContactsResult,
  LookUpContactsInput,
  LookUpContactsResult,
  Member,
  MergeContactsInput,
  MergeContactsResult,
  ProjectSettings,
  ReinviteMemberInput,
  ReinviteMemberResult,
  RemoveMemberInput,
  ReplayWebhookInput,
  RestoreContactInput,
  RetrieveChatbotInput,
  RetrieveContactInput,
  RetrieveMemberInput,
  RetrieveWebhookInput,
  Revocations,
  RotateWebhookInput,
  SearchAllContactsInput,
  SearchAllContactsResult,
  SearchContactsInput,
  SearchContactsResult,
  TestWebhookInput,
  UndoMergeInput,
  UndoMergeResult,
  UpdateChatbotInput,
  UpdateContactInput,
  UpdateMemberInput,
  UpdateProjectSettingsInput,
  UpdateWebhookInput,
  UpsertContactInput,
  UpsertContactResult,
  Usage,
  Webhook,
  WebhookTest,
  WebhookWithSecret,
  WholeMember,
} from './types.ts';

/** A client of Roster, or of Chatling, with a method for each operation. It holds no connection and needs no closing. */
export class RosterClient {
  readonly #caller: Caller;

  /** Throws a TypeError where an option cannot be used. */
  constructor(options: ClientOptions) {
    this.#caller = new Caller(options);
  }

  /** Check liveness. Whether the process answers. Needs no key. */
  getLiveness(options?: RequestOptions): Answer<GetLivenessResult> {
    return this.#caller.call(operations.getLiveness, {}, options);
  }

  /** Check readiness. Whether requests should be sent here. Needs no key. */
  getReadiness(options?: RequestOptions): Answer<GetReadinessResult> {
    return this.#caller.call(operations.getReadiness, {}, options);
  }

  /**
   * Retrieve the API key. The key that the request was sent with: whose it is, what it may do and until when. Call
   * it to try a key. Any key will do, whatever its scopes.
   */
  retrieveApiKey(options?: RequestOptions): Answer<ApiKey> {
    return this.#caller.call(operations.retrieveApiKey, {}, options);
  }

  /**
   * Retrieve project settings. The id and the name of the project of the key. Needs a key with the scope
   * `project:read`.
   */
  retrieveProjectSettings(options?: RequestOptions): Answer<ProjectSettings> {
    return this.#caller.call(operations.retrieveProjectSettings, {}, options);
  }

  /** Change project settings. Renames the project. Needs a key with the scope `project:write`. */
  updateProjectSettings(input: UpdateProjectSettingsInput, options?: ChangeOptions): Answer<ProjectSettings> {
    return this.#caller.call(operations.updateProjectSettings, input, options);
  }

  /**
   * Retrieve the use of seats. How many members hold a seat, Active or Pending, the Owner included, and how many
   * may. Needs a key with the scope `project:read`.
   */
  retrieveUserSeats(options?: RequestOptions): Answer<Usage> {
    return this.#caller.call(operations.retrieveUserSeats, {}, options);
  }

  /**
   * Retrieve the use of chatbots. How many chatbots the project has, and how many it may have. Needs a key with the
   * scope `project:read`.
   */
  retrieveChatbotUsage(options?: RequestOptions): Answer<Usage> {
    return this.#caller.call(operations.retrieveChatbotUsage, {}, options);
  }

  /**
   * Retrieve the use of contacts. How many contacts all chatbots of the project have together, without those in the
   * bin, and how many they may have. Needs a key with the scope `project:read`.
   */
  retrieveContactUsage(options?: RequestOptions): Answer<Usage> {
    return this.#caller.call(operations.retrieveContactUsage, {}, options);
  }

  /**
   * List members. The members of the project of the key, a page at a time: the Owner first, then in the order in
   * which they joined or were invited. Needs a key with the scope `members:read`.
   */
  listMembers(input: ListMembersInput = {}, options?: RequestOptions): List<ListMembersResult, Member> {
    return this.#caller.list(operations.listMembers, input, options);
  }

  /**
   * Invite a member. Adds a Pending member and makes the link by which the invited person joins. Roster sends no
   * e-mail: pass the link on yourself. It is shown only in this answer. A key can give a role only if it has the
   * scopes of that role; otherwise 403 names the missing scopes. Needs a key with the scope `members:write`.
   */
  inviteMember(input: InviteMemberInput, options?: KeyedOptions): Answer<InvitedMember | null> {
    return this.#caller.call(operations.inviteMember, input, options);
  }

  /**
   * Make a new link for a Pending member. The earlier link stops working. Members who were imported as Pending can
   * get one, too. A key needs the scopes of their roles, as for an invitation. Needs a key with the scope
   * `members:write`.
   */
  reinviteMember(input: ReinviteMemberInput, options?: ChangeOptions): Answer<ReinviteMemberResult> {
    return this.#caller.call(operations.reinviteMember, input, options);
  }

  /** Retrieve a member. One member by id, with all that is known. Needs a key with the scope `members:read`. */
  retrieveMember(input: RetrieveMemberInput, options?: RequestOptions): Answer<WholeMember> {
    return this.#caller.call(operations.retrieveMember, input, options);
  }

  /**
   * Change the roles of a member. Replaces the roles of a member who is not the Owner. Also ends keys that the
   * member made, and Pending invitations by the member or those keys, if they exceed the remaining rights;
   * `keep_keys=true` keeps them. A key can give a role only if it has the scopes of that role. With `dry_run=true`
   * the answer names these keys and invitations, and nothing changes. Needs a key with the scope `members:write`.
   */
  updateMember(input: UpdateMemberInput & { dry_run: true }, options?: ChangeOptions): Answer<Revocations>;
  updateMember(input: UpdateMemberInput, options?: ChangeOptions): Answer<WholeMember | null>;
  updateMember(input: UpdateMemberInput, options?: ChangeOptions): Answer<WholeMember | null | Revocations> {
    return this.#caller.call(operations.updateMember, input, options);
  }

  /**
   * Remove a member. Removes a member who is not the Owner, or withdraws the invitation: its link stops working at
   * once. Also revokes the keys that the member made, and withdraws Pending invitations by the member or those
   * keys; `keep_keys=true` keeps them. With `dry_run=true` the answer names these keys and invitations, and nothing
   * changes. Needs a key with the scope `members:write`.
   */
  removeMember(input: RemoveMemberInput & { dry_run: true }, options?: ChangeOptions): Answer<Revocations>;
  removeMember(input: RemoveMemberInput, options?: ChangeOptions): Answer<void>;
  removeMember(input: RemoveMemberInput, options?: ChangeOptions): Answer<void | Revocations> {
    return this.#caller.call(operations.removeMember, input, options);
  }

  /**
   * Accept an invitation. Makes the invited person an Active member, once. The token is the part of the link after
   * `#`. An unknown, used, expired or withdrawn token always gets the same 404, and counts like a refused key.
   * Needs no key.
   */
  acceptInvitation(input: AcceptInvitationInput, options?: RequestOptions): Answer<AcceptedInvitation> {
    return this.#caller.call(operations.acceptInvitation, input, options);
  }

  /**
   * List chatbots. The chatbots of the project, newest first: a page at a time, or from cursor to cursor, which
   * meets every chatbot that is there throughout exactly once. Needs a key with the scope `chatbots:read`.
   */
  listChatbots(input: ListChatbotsInput = {}, options?: RequestOptions): List<ListChatbotsResult, Chatbot> {
    return this.#caller.list(operations.listChatbots, input, options);
  }

  /**
   * Create a chatbot. A private chatbot without contacts. 409 `chatbots_exhausted` where the project has as many as
   * it may. Needs a key with the scope `chatbots:write`.
   */
  createChatbot(input: CreateChatbotInput, options?: KeyedOptions): Answer<Chatbot | null> {
    return this.#caller.call(operations.createChatbot, input, options);
  }

  /**
   * List templates. Always an empty list: Roster has no chatbot templates, but connectors for Chatling load this
   * list for their menus. Needs a key with the scope `chatbots:read`.
   */
  listChatbotTemplates(
    input: ListChatbotTemplatesInput = {},
    options?: RequestOptions,
  ): Answer<ListChatbotTemplatesResult> {
    return this.#caller.call(operations.listChatbotTemplates, input, options);
  }

  /**
   * Retrieve a chatbot. One chatbot. One that does not exist and one of another project give the same 404. Needs a
   * key with the scope `chatbots:read`.
   */
  retrieveChatbot(input: RetrieveChatbotInput, options?: RequestOptions): Answer<Chatbot> {
    return this.#caller.call(operations.retrieveChatbot, input, options);
  }

  /**
   * Change a chatbot. Changes its name, its visibility or both; what is missing stays. Needs a key with the scope
   * `chatbots:write`.
   */
  updateChatbot(input: UpdateChatbotInput, options?: ChangeOptions): Answer<Chatbot | null> {
    return this.#caller.call(operations.updateChatbot, input, options);
  }

  /**
   * List contacts. The contacts of a chatbot, newest first: a page at a time, or from cursor to cursor, which meets
   * everybody who is there throughout exactly once, whatever changes meanwhile. `state=deleted` lists the bin,
   * newest deletion first, and needs `contacts:write` besides. Needs a key with the scope `contacts:read`.
   */
  listContacts(input: ListContactsInput, options?: RequestOptions): List<ListContactsResult, Contact> {
    return this.#caller.list(operations.listContacts, input, options);
  }

  /**
   * Create a contact. A new contact, also where its e-mail is there already: to write each person once, upsert. It
   * needs a name or another property but `external_id`, `attributes` and `tags`. Needs a key with the scope
   * `contacts:write`.
   */
  createContact(input: CreateContactInput, options?: KeyedOptions): Answer<CreateContactResult> {
    return this.#caller.call(operations.createContact, input, options);
  }

  /**
   * Create or change a contact. Changes the contact that has this id, e-mail (in any letter case) or external id;
   * where nobody has the e-mail or the external id, creates one with it. However many ask at once, one contact is
   * made. 409 `ambiguous_match` where several have the e-mail. Needs a key with the scope `contacts:write`.
   */
  upsertContact(input: UpsertContactInput, options?: ChangeOptions): Answer<UpsertContactResult> {
    return this.#caller.call(operations.upsertContact, input, options);
  }

  /**
   * Change many contacts. Up to 1,000 changes in one transaction, in their order. An item that fails changes
   * nothing and stops no other. An item of the wrong shape refuses the whole request; a mistake inside `properties`
   * fails only that item. Counts as one request for every 25 items, or for every 25,000 characters of names,
   * e-mails, phones, companies, job titles, external ids and tags if those are more; it passes while one request is
   * left. Needs a key with the scope `contacts:write`.
   */
  bulkContacts(input: BulkContactsInput, options?: KeyedOptions): Answer<BulkContactsResult> {
    return this.#caller.call(operations.bulkContacts, input, options);
  }

  /**
   * Look up contacts. Finds all contacts with exactly this e-mail (in any letter case), phone (by its digits) or
   * external id, newest first; or those with these ids, in the order given, without the missing ones. Give one of
   * the four. Every 25 ids count as one request. It is a POST, so that no log keeps an address. Needs a key with
   * the scope `contacts:read`.
   */
  lookUpContacts(input: LookUpContactsInput, options?: RequestOptions): Answer<LookUpContactsResult> {
    return this.#caller.call(operations.lookUpContacts, input, options);
  }

  /**
   * Search contacts. The contacts in whose name, e-mail, company, job title, `external_id`, tags or phone every
   * word of the query begins a word or a number. Letter case, accents and ligatures do not matter. Of a phone each
   * group of digits is found, all digits together, and the last ten, seven and four. Without a query the filters
   * alone decide. Contacts come in the order in which they were added; a restored contact counts as added when it
   * was restored. It is a POST, so that no log keeps whom you look for. Needs a key with the scope `contacts:read`.
   */
  searchContacts(input: SearchContactsInput, options?: RequestOptions): List<SearchContactsResult, Contact> {
    return this.#caller.list(operations.searchContacts, input, options);
  }

  /**
   * Find duplicates. Suggests contacts who may be one person, the certain ones first. *certain*: the same e-mail or
   * phone (its last nine digits), and the same words of the name, or a name on one side only. *likely*: the same
   * e-mail or phone with other names, or the same words of the name with the same company or the same domain of the
   * e-mail, unless it is a public mailbox. Contacts whose e-mail and phone both differ are not suggested; an e-mail
   * or phone that more than five share suggests nobody, nor does a name with its company or domain that more than
   * twenty share. A job keeps the suggestions up to date, up to the event `as_of`. Needs a key with the scope
   * `contacts:read`.
   */
  findDuplicates(input: FindDuplicatesInput, options?: RequestOptions): List<FindDuplicatesResult, Duplicates> {
    return this.#caller.list(operations.findDuplicates, input, options);
  }

  /**
   * Dismiss duplicates. Says that these contacts are different people: no two of them are suggested together again.
   * Needs a key with the scope `contacts:write`.
   */
  dismissDuplicates(input: DismissDuplicatesInput, options?: KeyedOptions): Answer<void> {
    return this.#caller.call(operations.dismissDuplicates, input, options);
  }

  /**
   * Retrieve a contact. One contact of a chatbot. A contact or chatbot that does not exist and one that belongs to
   * somebody else give the same 404. Needs a key with the scope `contacts:read`.
   */
  retrieveContact(input: RetrieveContactInput, options?: RequestOptions): Answer<Contact> {
    return this.#caller.call(operations.retrieveContact, input, options);
  }

  /**
   * Change a contact. A JSON Merge Patch (RFC 7396) of the properties and of `attributes`: null clears a key, a
   * missing key stays. A patch that changes nothing is 200 too, with the same ETag and without an event. Needs a
   * key with the scope `contacts:write`.
   */
  updateContact(input: UpdateContactInput, options?: ChangeOptions): Answer<Contact | null> {
    return this.#caller.call(operations.updateContact, input, options);
  }

  /**
   * Delete a contact. Puts the contact into the bin, from which it can be restored for as long as the operator
   * keeps it. With `purge=true` it is deleted for good, also from the bin. Needs a key with the scope
   * `contacts:write`.
   */
  deleteContact(input: DeleteContactInput, options?: ChangeOptions): Answer<void> {
    return this.#caller.call(operations.deleteContact, input, options);
  }

  /**
   * Restore a contact. Takes the contact out of the bin, under the same id. 404 where it is not in the bin; 409
   * where another contact has its id or its `external_id` meanwhile. Needs a key with the scope `contacts:write`.
   */
  restoreContact(input: RestoreContactInput, options?: ChangeOptions): Answer<Contact | null> {
    return this.#caller.call(operations.restoreContact, input, options);
  }

  /**
   * Merge contacts. Merges contacts into this one. Its values win, and the oldest of them fills what it lacks;
   * `keep` names the contact whose value of a field stays (`name` with its parts is one field). Tags are joined,
   * and missing attributes filled. `GET` of a merged contact is 410 `merged`; its id, e-mail and external id lead
   * to this one. A repeated merge answers as the first did. Needs a key with the scope `contacts:write`.
   */
  mergeContacts(input: MergeContactsInput, options?: ChangeOptions): Answer<MergeContactsResult> {
    return this.#caller.call(operations.mergeContacts, input, options);
  }

  /**
   * Undo a merge. Brings the merged contacts back as they were, for as long as deleted ones are kept in the bin.
   * Fields that the merge filled go back too, unless somebody has changed them since. 409 if the contact that
   * stayed was merged, deleted or purged, or if another contact has an `external_id` of theirs; 404 if the merge is
   * undone already, or too old. Needs a key with the scope `contacts:write`.
   */
  undoMerge(input: UndoMergeInput, options?: KeyedOptions): Answer<UndoMergeResult> {
    return this.#caller.call(operations.undoMerge, input, options);
  }

  /**
   * Search the contacts of all chatbots. Searches all chatbots of the project, or some of them; each contact has
   * its `chatbot_id`. The contacts in whose name, e-mail, company, job title, `external_id`, tags or phone every
   * word of the query begins a word or a number. Letter case, accents and ligatures do not matter. Of a phone each
   * group of digits is found, all digits together, and the last ten, seven and four. Without a query the filters
   * alone decide. Contacts come in the order in which they were added; a restored contact counts as added when it
   * was restored. It is a POST, so that no log keeps whom you look for. Needs a key with the scope `contacts:read`.
   */
  searchAllContacts(
    input: SearchAllContactsInput = {},
    options?: RequestOptions,
  ): List<SearchAllContactsResult, ContactInProject> {
    return this.#caller.list(operations.searchAllContacts, input, options);
  }

  /**
   * Look up contacts of all chatbots. Finds all contacts of the project with exactly this e-mail (in any letter
   * case), phone (by its digits) or external id, newest first; or those with these ids, in the order given, without
   * the missing ones. Give one of the four. Every 25 ids count as one request. It is a POST, so that no log keeps
   * an address. An id is unique in its chatbot only, so it may find several. Needs a key with the scope
   * `contacts:read`.
   */
  lookUpAllContacts(input: LookUpAllContactsInput = {}, options?: RequestOptions): Answer<LookUpAllContactsResult> {
    return this.#caller.call(operations.lookUpAllContacts, input, options);
  }

  /**
   * Disclose a person. All that is kept of one person in all chatbots of the project, for a request under article
   * 15 or 20 of the GDPR: the contacts with this e-mail, phone or external id, or these contacts, with all that was
   * merged into them, and the values that a merge replaced; those in the bin; and the events about them. It may
   * take some seconds where there are many events. Needs a key with the scope `contacts:read` and the scope
   * `contacts:write`.
   */
  discloseContacts(input: DiscloseContactsInput = {}, options?: RequestOptions): Answer<DiscloseContactsResult> {
    return this.#caller.call(operations.discloseContacts, input, options);
  }

  /**
   * Erase a person. Deletes contacts of any chatbots of the project for good, in one commit: also from the bin, and
   * with all that was merged into them. A contact that was merged into another one is erased alone, and what that
   * one took from it stays there: name both, as `disclose` does. What is not there is left out. Events
   * `contacts.erased`, one for each chatbot, have the ids and the receipt. The answer repeats `reference`, and
   * nothing keeps it. Needs a key with the scope `contacts:write`.
   */
  eraseContacts(input: EraseContactsInput, options?: KeyedOptions): Answer<EraseContactsResult> {
    return this.#caller.call(operations.eraseContacts, input, options);
  }

  /**
   * List events. Lists the changes in the project in commit order: ids and names of fields, never values. Continue
   * from `next_cursor` to miss nothing and see nothing twice. All filters combine. With `wait` the answer comes as
   * soon as there is an event. Ten requests of a key and forty of a project may wait at once; further ones are
   * answered at once. Needs a key with the scope `events:read`.
   */
  listEvents(input: ListEventsInput = {}, options?: RequestOptions): List<ListEventsResult, Event> {
    return this.#caller.list(operations.listEvents, input, options);
  }

  /**
   * List webhooks. The webhooks of the project, oldest first, a page at a time; never their secrets. Needs a key
   * with the scope `webhooks:read`.
   */
  listWebhooks(input: ListWebhooksInput = {}, options?: RequestOptions): List<ListWebhooksResult, Webhook> {
    return this.#caller.list(operations.listWebhooks, input, options);
  }

  /**
   * Create a webhook. Posts each later event that matches to a URL, signed by Standard Webhooks with the secret of
   * the answer. A webhook made by a key gets what that key may read, so a key without contacts:read gets nothing of
   * contact.*. The webhook ends with its key, and a rotated key passes it to its successor. Needs a key with the
   * scope `webhooks:write`.
   */
  createWebhook(input: CreateWebhookInput, options?: KeyedOptions): Answer<WebhookWithSecret | null> {
    return this.#caller.call(operations.createWebhook, input, options);
  }

  /**
   * Retrieve a webhook. One webhook, how it fares and how far behind it is; never its secret. Needs a key with the
   * scope `webhooks:read`.
   */
  retrieveWebhook(input: RetrieveWebhookInput, options?: RequestOptions): Answer<Webhook> {
    return this.#caller.call(operations.retrieveWebhook, input, options);
  }

  /**
   * Change a webhook. What is missing stays. Once the URL, the events, the chatbots, the payload or the state are
   * changed, the webhook sees what the caller may read. An enabled webhook goes on from where it was. Needs a key
   * with the scope `webhooks:write`.
   */
  updateWebhook(input: UpdateWebhookInput, options?: ChangeOptions): Answer<Webhook | null> {
    return this.#caller.call(operations.updateWebhook, input, options);
  }

  /**
   * Delete a webhook. Nothing more is sent, and its deliveries are forgotten. Needs a key with the scope
   * `webhooks:write`.
   */
  deleteWebhook(input: DeleteWebhookInput, options?: ChangeOptions): Answer<void> {
    return this.#caller.call(operations.deleteWebhook, input, options);
  }

  /**
   * Test a webhook. Signs and sends `ping` now, in the way of every delivery. A success enables a failing or
   * disabled webhook, which goes on from where it was. A disabled one then sees what the caller may read. Needs a
   * key with the scope `webhooks:write`.
   */
  testWebhook(input: TestWebhookInput, options?: RequestOptions): Answer<WebhookTest> {
    return this.#caller.call(operations.testWebhook, input, options);
  }

  /**
   * Rotate a webhook's secret. Creates a new secret. Until the overlap ends both secrets sign, so a receiver can
   * switch without losing a delivery. Another rotation during the overlap ends the oldest secret at once. Needs a
   * key with the scope `webhooks:write`.
   */
  rotateWebhook(input: RotateWebhookInput, options?: ChangeOptions): Answer<WebhookWithSecret | null> {
    return this.#caller.call(operations.rotateWebhook, input, options);
  }

  /**
   * Replay events to a webhook. Sends again what came after a cursor of `GET /v2/events`, or since a time, as far
   * as events are kept. Repeats keep their `webhook-id`. It never skips: a point that the webhook has not reached
   * changes nothing. Needs a key with the scope `webhooks:write`.
   */
  replayWebhook(input: ReplayWebhookInput, options?: ChangeOptions): Answer<Webhook | null> {
    return this.#caller.call(operations.replayWebhook, input, options);
  }

  /**
   * List a webhook's deliveries. The last 1,000 attempts, and failed ones of thirty days, 10,000 at most, newest
   * first. Needs a key with the scope `webhooks:read`.
   */
  listDeliveries(input: ListDeliveriesInput, options?: RequestOptions): Answer<ListDeliveriesResult> {
    return this.#caller.call(operations.listDeliveries, input, options);
  }
}
