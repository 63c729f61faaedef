/** What customers and staff of the demo write. */
import type { TicketType } from '#shared/tickets/ticket-sets.ts'

export const WORDS: Record<TicketType, readonly string[]> = {
  1: [
    'The app closes when I open my loan',
    'I cannot upload my photo, it says try again',
    'The app asks me to log in every day',
    'I do not see the repayment screen any more',
    'The language changed to English by itself',
  ],
  2: [
    'My loan was approved on Monday and the money has not come',
    'The amount that came is smaller than the one I signed',
    'My bank says the transfer was sent back',
    'I gave the wrong account, please stop the transfer',
  ],
  3: [
    'I paid by UPI yesterday and it is not booked',
    'I paid twice by mistake, please give one back',
    'The link says expired when I want to pay',
    'Please tell me the exact amount to close the loan',
    'The receipt shows another amount than the app',
  ],
  4: [
    'I was called three times on the same day',
    'The caller would not tell me their name',
    'I asked to be called after six and the agent calls at noon',
    'He spoke to my neighbour about my loan',
  ],
  5: [
    'The charges are higher than what the agreement says',
    'Nobody has answered my last two messages',
    'I want to speak to the grievance officer',
    'My data was changed without my asking',
  ],
  6: [
    'Please change my e-mail address',
    'How long does a new application take',
    'I want the agreement as a file',
    'Can I move my due day to the fifth',
  ],
}
export const ANSWERS = [
  'We have your message and look into it',
  'Thank you, we have asked the bank and come back to you',
  'Please send the UTR of the payment, then we can book it',
  'This was corrected just now, please look again',
]
export const NOTES = [
  'Bank asked, answer by tomorrow',
  'Same question as last month, see the history',
  'Recording listened to, caller was polite',
  'Waits for the UTR',
]
export const ENDINGS = [
  'Payment found and booked on the loan',
  'Explained the charges line by line',
  'App update solved it, customer agrees',
  'Transfer repeated, money arrived',
  'Spoke to the collector; calls only after six from now on',
  'Address changed in the customer record',
]
