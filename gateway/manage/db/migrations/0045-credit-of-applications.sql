-- every decided application leaves what it came to for the customer's credit; ids of the past came with their customers
create sequence credit_grant_id_seq start 500000001;
