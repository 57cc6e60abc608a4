import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

import { Icon, type IconName } from './icon.tsx';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

type Props = Omit<ButtonHTMLAttributes, 'icon' | 'type'> & {
  kind?: Kind;
  type?: 'button' | 'submit';
  icon?: IconName;
  isBusy?: boolean;
  isSmall?: boolean;
  children: ComponentChildren;
};

/** While it is busy it stays where it is and keeps the focus, but does nothing. */
export function Button({ kind = 'plain', type = 'button', icon, isBusy, isSmall, children, onClick, ...rest }: Props) {
  const classes = ['button', `button-${kind}`, isSmall === true ? 'button-small' : ''].filter(Boolean).join(' ');
  return (
    <button
      {...rest}
      type={type}
      class={classes}
      aria-disabled={isBusy === true ? 'true' : undefined}
      onClick={isBusy === true ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {isBusy === true && <span class="spinner" aria-hidden="true" />}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes, 'icon' | 'label'> & {
  icon: IconName;
  label: string;
};

export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" class="button button-icon" aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  icon,
  kind = 'plain',
  children,
}: Pick<Props, 'icon' | 'kind' | 'children'> & { href: string }) {
  return (
    <a href={href} class={`button button-${kind}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}
