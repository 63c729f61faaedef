/** Word lists of the demo portfolio. */
const words = (text: string): string[] => text.trim().split(/\s+/)

export const MALE = words(`
  Aarav Abhishek Aditya Ajay Akash Amit Anand Anil Anirudh Arjun Arvind Ashok Bharat Chetan
  Deepak Dhruv Dinesh Farhan Ganesh Gaurav Girish Harish Hemant Imran Ishaan Jatin Karan Karthik
  Kiran Kunal Lokesh Mahesh Manish Manoj Mohan Mukesh Naveen Nikhil Nitin Pankaj Prakash Pranav
  Praveen Rahul Rajesh Rakesh Ramesh Ravi Rohan Rohit Sachin Sameer Sandeep Sanjay Santosh
  Satish Shankar Siddharth Sunil Suresh Tarun Uday Varun Vijay Vikas Vikram Vinod Vishal Vivek
  Yash Yusuf Zubair
`)
export const FEMALE = words(`
  Aditi Aishwarya Amrita Ananya Anita Anjali Anju Archana Asha Bhavana Deepa Deepika Divya
  Fatima Gayatri Geeta Harini Isha Jyoti Kavita Kavya Lakshmi Latha Madhuri Mamta Meena Meera
  Megha Mona Nandini Neha Nisha Nithya Pallavi Pooja Prachi Pragya Priya Radha Rashmi Rekha Renu
  Reshma Ritu Roshni Ruchi Sadhana Sandhya Sangeeta Sapna Sarita Seema Shalini Shilpa Shreya
  Simran Sneha Sonia Sunita Swati Tanvi Uma Usha Vandana Vidya Yamini Zainab
`)
export const SURNAMES = words(`
  Agarwal Ahmed Bansal Banerjee Bhat Bhatt Biswas Bose Chakraborty Chandra Chauhan Chopra Das
  Dasgupta Desai Deshmukh Dubey Dutta Fernandes Ghosh Goel Gowda Gupta Hegde Iyer Jadhav Jain
  Jha Joshi Kadam Kamble Kapoor Kaur Khan Khanna Kulkarni Kumar Mahajan Malhotra Mehta Menon
  Mishra Mukherjee Nair Naidu Nayak Pandey Patel Patil Pillai Prasad Qureshi Rana Rao Rathore
  Reddy Roy Saha Saxena Sengupta Shah Sharma Shetty Shinde Shukla Singh Sinha Soni Srivastava
  Thakur Thomas Tiwari Trivedi Varma Venkatesh Verma Yadav
`)

export const CITIES = [
  { name: 'Mumbai', pin: '400' },
  { name: 'Pune', pin: '411' },
  { name: 'Nagpur', pin: '440' },
  { name: 'Nashik', pin: '422' },
  { name: 'Bengaluru', pin: '560' },
  { name: 'Mysuru', pin: '570' },
  { name: 'Hyderabad', pin: '500' },
  { name: 'Visakhapatnam', pin: '530' },
  { name: 'Chennai', pin: '600' },
  { name: 'Coimbatore', pin: '641' },
  { name: 'Madurai', pin: '625' },
  { name: 'Kochi', pin: '682' },
  { name: 'Delhi', pin: '110' },
  { name: 'Gurugram', pin: '122' },
  { name: 'Noida', pin: '201' },
  { name: 'Jaipur', pin: '302' },
  { name: 'Lucknow', pin: '226' },
  { name: 'Kanpur', pin: '208' },
  { name: 'Indore', pin: '452' },
  { name: 'Bhopal', pin: '462' },
  { name: 'Ahmedabad', pin: '380' },
  { name: 'Surat', pin: '395' },
  { name: 'Kolkata', pin: '700' },
  { name: 'Bhubaneswar', pin: '751' },
  { name: 'Patna', pin: '800' },
  { name: 'Ludhiana', pin: '141' },
  { name: 'Chandigarh', pin: '160' },
  { name: 'Guwahati', pin: '781' },
] as const
export const STREETS = [
  'MG Road',
  'Station Road',
  'Gandhi Nagar Main Road',
  'Temple Street',
  'Market Road',
  'Nehru Street',
  'Church Road',
  'College Road',
  'Ring Road',
  'Lake View Road',
  'Subhash Marg',
  'Tilak Road',
  'Park Street',
  'Canal Road',
  'Mill Road',
] as const
export const LOCALITIES = [
  'Shivaji Nagar',
  'Rajendra Nagar',
  'Indira Colony',
  'Ashok Vihar',
  'Saraswati Layout',
  'Vijay Nagar',
  'Patel Nagar',
  'Laxmi Enclave',
  'Green Park',
  'Hill View',
  'Model Town',
  'Anna Nagar',
  'Civil Lines',
  'Old Town',
  'Sector 12',
  'Sector 45',
] as const
export const PROFESSIONS = [
  'salesExecutive',
  'driver',
  'teacher',
  'nurse',
  'softwareEngineer',
  'shopOwner',
  'electrician',
  'accountant',
  'machineOperator',
  'deliveryPartner',
  'securityGuard',
  'officeAssistant',
  'chef',
  'tailor',
  'technician',
  'callCentreAgent',
] as const
export const COMPANIES = [
  'Sunrise Retail',
  'Bharat Logistics',
  'Green Leaf Foods',
  'Metro Hospital',
  'Bluewave Systems',
  'Shree Ganesh Traders',
  'Om Electricals',
  'City Public School',
  'Rapid Couriers',
  'Annapurna Caterers',
  'Vision Security',
  'Kaveri Textiles',
  'Nova Call Centre',
  'Deccan Motors',
  'Silver Line Printers',
  'Self employed',
] as const
export const OPERATORS = ['Jio', 'Airtel', 'Vi', 'BSNL'] as const
export const DEVICES = [
  { brand: 'Samsung', model: 'Galaxy A15', os: 'Android', osVersion: '14' },
  { brand: 'Xiaomi', model: 'Redmi 13C', os: 'Android', osVersion: '13' },
  { brand: 'Vivo', model: 'Y28', os: 'Android', osVersion: '14' },
  { brand: 'Realme', model: 'Narzo 60', os: 'Android', osVersion: '13' },
  { brand: 'Oppo', model: 'A59', os: 'Android', osVersion: '13' },
  { brand: 'Motorola', model: 'G54', os: 'Android', osVersion: '14' },
  { brand: 'OnePlus', model: 'Nord CE4', os: 'Android', osVersion: '14' },
  { brand: 'Apple', model: 'iPhone 13', os: 'iOS', osVersion: '17.5' },
] as const
/** First four characters of the IFSC and the length of account numbers. */
export const BANKS = [
  { code: 'HDFC', name: 'HDFC Bank', digits: 14 },
  { code: 'ICIC', name: 'ICICI Bank', digits: 12 },
  { code: 'SBIN', name: 'State Bank of India', digits: 11 },
  { code: 'UTIB', name: 'Axis Bank', digits: 15 },
  { code: 'KKBK', name: 'Kotak Mahindra Bank', digits: 10 },
  { code: 'PUNB', name: 'Punjab National Bank', digits: 16 },
  { code: 'BARB', name: 'Bank of Baroda', digits: 14 },
  { code: 'CNRB', name: 'Canara Bank', digits: 13 },
  { code: 'UBIN', name: 'Union Bank of India', digits: 15 },
  { code: 'IDFB', name: 'IDFC First Bank', digits: 11 },
  { code: 'FDRL', name: 'Federal Bank', digits: 14 },
  { code: 'INDB', name: 'IndusInd Bank', digits: 12 },
] as const
