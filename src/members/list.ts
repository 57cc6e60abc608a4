import { paginate, type PageRequest, type Pages } from '../values/page.ts';
import type { Member } from './member.ts';
import type { MemberFilter, MemberStore } from './store.ts';

/** One page of the project's members and where it lies among all pages. */
export async function listMembers(
  store: Pick<MemberStore, 'listMembers'>,
  caller: { projectId: string },
  filter: MemberFilter,
  page: PageRequest,
): Promise<{ pages: Pages; members: Member[] }> {
  // Beyond this the offset would not be exact.
  const offset = Math.min((page.page - 1) * page.perPage, Number.MAX_SAFE_INTEGER - page.perPage);
  const { total, members } = await store.listMembers(caller.projectId, filter, page.perPage, offset);
  return { pages: paginate(page, total), members };
}
