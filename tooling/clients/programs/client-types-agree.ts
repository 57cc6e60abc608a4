import type * as client from './client-types.js';
import type { components, operations } from './roster.js';

/**
 * Compiled only. Another generator reads the document in its own way: what it lets a caller send has a place in the types
 * of clients/typescript, and so has all that it lets Roster answer.
 */
type Schemas = components['schemas'];
type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
type DataOf<Name extends keyof operations> = operations[Name]['responses'] extends {
  200: { content: { 'application/json': { data: infer Data } } };
}
  ? Data
  : never;

declare const schemas: Schemas;
schemas.ApiKey satisfies client.ApiKey;
schemas.ProjectSettings satisfies client.ProjectSettings;
schemas.Usage satisfies client.Usage;
schemas.Member satisfies client.Member;
schemas.InvitedMember satisfies client.InvitedMember;
schemas.WholeMember satisfies client.WholeMember;
schemas.AcceptedInvitation satisfies client.AcceptedInvitation;
schemas.Chatbot satisfies client.Chatbot;
schemas.Contact satisfies client.Contact;
schemas.ContactProperties satisfies client.ContactProperties;
schemas.BulkResult satisfies client.BulkResult;
schemas.Event satisfies client.Event;
schemas.Failure.code satisfies client.ErrorCode;

// And back: nothing that may be null or missing is promised. The sets of values may grow.
type Known<T> = T extends (infer Item)[]
  ? Known<Item>[]
  : T extends string
    ? string
    : T extends object
      ? { [Key in keyof T]: Known<T[Key]> }
      : T;
declare const ours: { contact: client.Contact; member: client.Member; chatbot: client.Chatbot; event: client.Event };
ours.contact satisfies Known<Schemas['Contact']>;
ours.member as Known<client.Member> satisfies Known<Schemas['Member']>;
ours.chatbot as Known<client.Chatbot> satisfies Known<Schemas['Chatbot']>;
ours.event as Known<client.Event> satisfies Known<Schemas['Event']>;

declare const answers: { [Name in keyof operations]: DataOf<Name> };
answers.listMembers satisfies client.ListMembersResult;
answers.listChatbots satisfies client.ListChatbotsResult;
answers.listContacts satisfies client.ListContactsResult;
answers.upsertContact satisfies client.UpsertContactResult;
answers.bulkContacts satisfies client.BulkContactsResult;
answers.lookUpContacts satisfies client.LookUpContactsResult;
answers.searchContacts satisfies client.SearchContactsResult;
answers.reinviteMember satisfies client.ReinviteMemberResult;
answers.listEvents satisfies client.ListEventsResult;

declare const queries: { [Name in keyof operations]: QueryOf<Name> };
queries.listMembers satisfies client.ListMembersInput;
queries.listChatbots satisfies client.ListChatbotsInput;
queries.listContacts satisfies Omit<client.ListContactsInput, 'chatbotId'>;
queries.listEvents satisfies client.ListEventsInput;

declare const bodies: { [Name in keyof operations]: BodyOf<Name> };
bodies.inviteMember satisfies client.InviteMemberInput;
bodies.searchContacts satisfies Omit<client.SearchContactsInput, 'chatbotId'>;
bodies.lookUpContacts satisfies Omit<client.LookUpContactsInput, 'chatbotId'>;
bodies.updateChatbot satisfies Omit<client.UpdateChatbotInput, 'chatbotId'>;
bodies.createContact satisfies Omit<client.CreateContactInput, 'chatbotId'>;
