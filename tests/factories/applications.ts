/**
 * Applications as the customer app sends them. The n-th is the same in every run; each n is another
 * person.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundApplication } from '#shared/orders/inbound-api.ts'
import { verhoeffDigit } from '#gateway/manage/features/customers/public.ts'

type Application = InputOf<typeof inboundApplication>

/** For product PR1 of app A1 and channel CH1 (`makeProduct`) by default. */
export function makeApplication(
  n: number,
  given: Partial<Omit<Application, 'customer' | 'bankCard'>> & {
    customer?: Partial<Application['customer']>
    bankCard?: Partial<Application['bankCard']>
  } = {},
): Application {
  const aadhaar = `2${String(n).padStart(10, '0')}`
  const name = `Ravi Kumar ${n}`
  return {
    appId: 'A1',
    channelId: 'CH1',
    productId: 'PR1',
    amount: 1_000_000,
    kfsVersion: 'KFS-1',
    kfsAcceptTime: new Date().toISOString(),
    contacts: [1, 2, 3].map((i) => ({
      relation: 'friend',
      name: `Contact ${i}`,
      phone: String(8_000_000_000 + n * 10 + i),
    })),
    ...given,
    customer: {
      name,
      panName: name,
      phone: String(7_000_000_000 + n),
      pan: `ABCPK${String(n % 10_000).padStart(4, '0')}F`,
      aadhaar: aadhaar + verhoeffDigit(aadhaar),
      birthday: '1994-05-17',
      sex: 'male',
      address: '12 MG Road, Pune, Maharashtra 411001',
      city: 'Pune',
      postcode: '411001',
      monthlyIncome: 4_500_000,
      ...given.customer,
    },
    bankCard: {
      holder: name,
      bankName: 'HDFC Bank',
      account: String(60_100_000_000 + n),
      ifsc: 'HDFC0001234',
      bound: true,
      nameSimilarity: 9_600,
      ...given.bankCard,
    },
  }
}
