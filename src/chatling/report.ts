/** The result of an import. For each noun `created`, `updated`, `unchanged` and `rejected` add up to `read`, without duplicates. */
export type ImportReport = ReturnType<typeof emptyReport>;

export function emptyReport(projectId: string, isDryRun: boolean) {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };
  return {
    project: projectId,
    dry_run: isDryRun,
    chatbots: { ...counts, not_at_source: 0 },
    contacts: { ...counts, deleted: 0, values_left_out: 0, times_mended: 0, times_unknown: 0 },
    members: { ...counts, removed: 0 },
    requests: 0,
    waited_seconds: 0,
    rejects_file: null as string | null,
  };
}
