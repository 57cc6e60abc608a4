export const projects = 100;
export const chatbots = 1_000;
export const keysPerProject = 2;

/** How many projects and chatbots there are in all; chatbot `c` belongs to project `c % projects`. */
export interface Layout {
  projects: number;
  chatbots: number;
}

/** Project, chatbot and id of contact number `i`: ids in no order, as they come from elsewhere. */
export function placeOf(i: number, layout: Layout = { projects, chatbots }): [string, string, string] {
  return [String(i % layout.projects), String(i % layout.chatbots), String((i * 740_737_387) % 4_294_967_296)];
}

/** The members of a project. */
export const members = Array.from({ length: 40 }, (_, index) => ({
  email: `member${index}@example.com`,
  status: index % 5 === 4 ? ('Pending' as const) : ('Active' as const),
  roles: index === 0 ? (['Owner', 'Billing'] as const).slice() : (['Editor'] as const).slice(),
}));

/** Contact number `i` as it is answered. */
export function contactNumber(i: number) {
  const [, , id] = placeOf(i);
  return {
    id,
    name: `Person ${i}`,
    email: `person${i}@example.com`,
    job_title: 'Engineer',
    phone: '+1 555 0100',
    website: `https://example.com/${i}`,
    company: 'Example Ltd',
    created_at: '2024-06-08T13:38:33+00:00',
  };
}
