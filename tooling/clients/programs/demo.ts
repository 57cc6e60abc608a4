/** What both programs are told of the Roster that they call. */
export const demo = {
  address: setting('ROSTER_ADDRESS'),
  token: setting('ROSTER_TOKEN'),
  chatbotId: setting('ROSTER_CHATBOT_ID'),
  contactId: setting('ROSTER_CONTACT_ID'),
};

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
