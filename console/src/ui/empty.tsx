import type { ComponentChildren } from 'preact';

import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  icon: IconName;
  title: string;
  /** The next step. */
  children: ComponentChildren;
  actions?: ComponentChildren;
}

export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <section class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <div class="prose">{children}</div>
      {actions !== undefined && <div class="empty-actions">{actions}</div>}
    </section>
  );
}
