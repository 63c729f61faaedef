/** Words in the most common passwords, including Indian words and words of lending. */
const WORDS = `
password passwort passw passwd pass mypassword yourpassword newpassword changeme change secret
letmein login logon signin access enter open welcome hello hallo hi test tester testing demo guest
user username
admin administrator root superuser super master manager director reviewer collector collection
console lending lender loan loans money bank banking finance office staff team service support
system server computer laptop internet google facebook yahoo gmail microsoft windows apple samsung
nokia oracle cisco
default temp temporary sample example qwerty qwertz azerty qwer qwerasdf asdf asdfgh zxcv zxcvbn
qazwsx qaz wsx zaq zaqwsx iloveyou ilove loveyou love lovely lover mylove forever always angel baby
babygirl princess prince queen king sweet sweetheart honey darling cutie beautiful
dragon monkey tiger lion eagle falcon panther wolf bear horse dog doggy cat kitty puppy rabbit
chicken donkey snake spider butterfly dolphin flower rose lily jasmine daisy sunflower garden
rainbow sunshine summer winter spring autumn monday tuesday wednesday thursday friday saturday
sunday
january february march april may june july august september october november december morning night
star superstar moon sun sky galaxy planet earth world ocean river mountain fire water ice snow
thunder lightning storm shadow ghost phoenix
football cricket soccer hockey baseball basketball tennis golf sports champion winner player gamer
game games ninja warrior soldier hunter killer hacker matrix legend hero batman superman spiderman
ironman captain pokemon pikachu naruto starwars harry potter
india indian bharat hindustan mumbai bombay delhi newdelhi kolkata calcutta chennai madras bangalore
bengaluru hyderabad pune jaipur lucknow kerala punjab gujarat goa ganesh ganesha krishna shiva shiv
mahadev rama ram sairam hanuman lakshmi laxmi durga saibaba sai om allah jesus christ god
namaste jaihind jai rahul rohit priya pooja puja anjali neha ravi raj raja rani sachin dhoni kohli
virat sharma kumar singh gupta patel khan reddy nair rao deepak suresh ramesh mahesh rakesh rajesh
sanjay vijay ajay amit anil sunil arjun aditya akash abhishek manish mohan
michael jordan michelle jennifer jessica ashley amanda charlie daniel thomas robert william david
john james andrew anthony joshua george nicole maria sophie hannah samantha alexander peter
whatever freedom trustno trust nothing something computer coffee cookie chocolate cheese banana
apple orange mango pepper ginger sugar candy diamond gold silver purple yellow green blue red black
white pink lucky happy smile friend friends family mother father mummy daddy brother sister
company corporate business customer agent agency branch sales market marketing account accounts
payment payments credit debit card cash rupee rupees salary employee security secure private public
mobile phone number contact email mail
passcode passkey pin code key keyboard mouse monitor screen floor desk work working hard today
tomorrow yesterday year newyear month day week spring
`

// "floor" is part of the shared demo password, which must not be chosen as a new password
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  WORDS.split(/\s+/).filter((word) => word !== ''),
)
