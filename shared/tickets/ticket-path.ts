/** Address of a ticket's page. @param from menu its list belongs to; null = the page decides */
export function ticketPath(feedbackId: string, from: string | null): string {
  const list = from === null ? '' : `&from=${encodeURIComponent(from)}`
  return `/detail4?feedbackId=${encodeURIComponent(feedbackId)}${list}`
}

/** After the address of a ticket's page: the reply has the focus, because it is what comes next. */
export const REPLY_FIRST = '#reply'
