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
    <section class="empty stack">
      <span class="sign empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <div class="prose soft">{children}</div>
      {actions !== undefined && <div class="row">{actions}</div>}
    </section>
  );
}
