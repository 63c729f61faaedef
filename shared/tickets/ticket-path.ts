/** Address of a ticket's page. @param from menu its list belongs to; null = the page decides */
export function ticketPath(feedbackId: string, from: string | null): string {
  const list = from === null ? '' : `&from=${encodeURIComponent(from)}`
  return `/detail4?feedbackId=${encodeURIComponent(feedbackId)}${list}`
}

/** Part of a ticket's page that has the focus when it is what comes next. */
export const REPLY = 'reply'

/** Address of a ticket's page with the focus in the reply. */
export function replyPath(feedbackId: string, from: string | null): string {
  return `${ticketPath(feedbackId, from)}#${REPLY}`
}
