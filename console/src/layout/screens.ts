import type { IconName } from '../ui/icon.tsx';

export interface Screen {
  path: string;
  label: string;
  icon: IconName;
  /** Missing where every member may see it. */
  right?: string;
  /** In the bar of a phone, where four have room. */
  isOnPhone?: true;
  /** After `g`. */
  key: string;
}

/** The screen that shows the path. */
export function isShown({ path: own }: Screen, path: string): boolean {
  return path === own || (own !== '/console' && path.startsWith(`${own}/`));
}

/** In the order of the side bar. The first that somebody may see is where they begin. */
export const screens: readonly Screen[] = [
  { path: '/console', label: 'Home', icon: 'home', right: 'contacts:read', key: 'h', isOnPhone: true },
  { path: '/console/contacts', label: 'Contacts', icon: 'contacts', right: 'contacts:read', key: 'c', isOnPhone: true },
  { path: '/console/duplicates', label: 'Duplicates', icon: 'duplicates', right: 'contacts:read', key: 'd' },
  { path: '/console/import', label: 'Import', icon: 'import', right: 'contacts:write', key: 'i' },
  { path: '/console/activity', label: 'Activity', icon: 'activity', right: 'events:read', key: 't', isOnPhone: true },
  { path: '/console/chatbots', label: 'Chatbots', icon: 'chatbots', right: 'chatbots:read', key: 'b' },
  { path: '/console/members', label: 'Members', icon: 'members', right: 'members:read', key: 'm', isOnPhone: true },
  { path: '/console/keys', label: 'Keys', icon: 'keys', right: 'administration', key: 'k' },
  { path: '/console/webhooks', label: 'Webhooks', icon: 'webhooks', right: 'webhooks:read', key: 'w' },
  { path: '/console/project', label: 'Project', icon: 'project', right: 'project:read', key: 'p' },
  { path: '/console/account', label: 'Account', icon: 'account', key: 'a' },
];
