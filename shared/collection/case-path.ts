/** Address of a case's page. @param from menu its list belongs to */
export function casePath(caseId: string, from: string): string {
  return `/detail3?caseId=${encodeURIComponent(caseId)}&from=${encodeURIComponent(from)}`
}
