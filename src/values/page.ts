export const perPageDefault = 15;
export const perPageMax = 100;
/** What JSON tells exactly. */
export const pageMax = Number.MAX_SAFE_INTEGER;

/** Both count from 1. */
export interface PageRequest {
  page: number;
  perPage: number;
}

/** `data.pages` as the interface has it. */
export interface Pages {
  current_page: number;
  last_page: number;
  per_page: number;
}

/** The pages of `total` items. An empty list still has one page; a page past the end keeps its number. */
export function paginate({ page, perPage }: PageRequest, total: number): Pages {
  return {
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    per_page: perPage,
  };
}
