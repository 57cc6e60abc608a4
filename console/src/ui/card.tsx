import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  title: string;
  about?: ComponentChildren;
  /** The buttons beside the title. */
  actions?: ComponentChildren;
  /** For a table or a list, which reach the edges. */
  isFlush?: boolean;
  children?: ComponentChildren;
}

export function Card({ title, about, actions, isFlush, children }: CardProps) {
  const id = useId();
  return (
    <section class={isFlush === true ? 'card card-flush' : 'card'} aria-labelledby={id}>
      <div class="card-head spread">
        <div class="card-title">
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p class="soft">{about}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface ItemProps {
  title: ComponentChildren;
  about?: ComponentChildren;
  children?: ComponentChildren;
}

/** A row of a list in a card: what it is, a line about it, and what can be done. */
export function Item({ title, about, children }: ItemProps) {
  return (
    <li class="item spread">
      <div class="item-text">
        <div class="item-title row tight">{title}</div>
        {about !== undefined && <div class="soft small">{about}</div>}
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </li>
  );
}
