/** Address of a case's page. @param from menu its list belongs to */
export function casePath(caseId: string, from: string): string {
  return `/detail3?caseId=${encodeURIComponent(caseId)}&from=${encodeURIComponent(from)}`
}

/** What `open` of the work list says for the first due case that may be contacted now. */
export const NEXT_CASE = 'next'

/** Address of the work list of one collector's due cases, with the next of them beside it. */
export function nextCasePath(collectorId: string): string {
  const query = new URLSearchParams({ view: 'dueNow', collectorId, open: NEXT_CASE })
  return `/loaned_management/pedding_list?${query.toString()}`
}
