// Sentence patterns of four languages. The slots are forms of a noun: {the}, {a}, {my}, {your}, {plural}, …; a 2 is for
// a second noun, `Acc` and `in` for the German cases, `ofA` and `ofNo` for what French needs.

/** `tags of the noun | tags of the second, or a dash | English | French | Spanish | German` */
export const PATTERN_ROWS = `
place | - | Where is {the}? | Où est {the} ? | ¿Dónde está {the}? | Wo ist {the}?
thing clothes own | - | Where is {my}? | Où est {my} ? | ¿Dónde está {my}? | Wo ist {my}?
thing clothes animal | - | Where are {thePlural}? | Où sont {thePlural} ? | ¿Dónde están {thePlural}? | Wo sind {thePlural}?
drink dish fruit | - | I would like {a}. | Je voudrais {a}. | Quisiera {a}. | Ich möchte {aAcc}.
drink dish | - | I would like {a}, please. | Je voudrais {a}, s'il vous plaît. | Quisiera {a}, por favor. | Ich möchte bitte {aAcc}.
thing clothes furniture vehicle | - | I need {a}. | J'ai besoin {ofA}. | Necesito {a}. | Ich brauche {aAcc}.
thing dish words mail | - | Thank you for {the}. | Merci pour {the}. | Gracias por {the}. | Danke für {theAcc}.
thing animal own clothes | - | I have {a}. | J'ai {a}. | Tengo {a}. | Ich habe {aAcc}.
own | - | I do not have {a}. | Je n'ai pas {ofNo}. | No tengo {bare}. | Ich habe {noAcc}.
thing own drink dish | - | Do you have {a}? | Avez-vous {a} ? | ¿Tiene {a}? | Haben Sie {aAcc}?
thing clothes furniture vehicle drink dish | - | How much does {the} cost? | Combien coûte {the} ? | ¿Cuánto cuesta {the}? | Wie viel kostet {the}?
thing clothes fruit vegetable | - | How much do {thePlural} cost? | Combien coûtent {thePlural} ? | ¿Cuánto cuestan {thePlural}? | Wie viel kosten {thePlural}?
place thing | - | I am looking for {the}. | Je cherche {the}. | Busco {the}. | Ich suche {theAcc}.
thing clothes | - | I am looking for {my}. | Je cherche {my}. | Busco {my}. | Ich suche {myAcc}.
thing room vehicle own mine clothes | - | This is {my}. | C'est {my}. | {this} es {my}. | Das ist {my}.
mail | - | {your} arrives on {day}. | {your} arrive {day}. | {your} llega el {day}. | {your} kommt am {day} an.
thing animal furniture fruit vegetable | - | We have {number} {plural}. | Nous avons {number} {plural}. | Tenemos {number} {plural}. | Wir haben {number} {plural}.
animal vehicle place room | - | I see {number} {plural}. | Je vois {number} {plural}. | Veo {number} {plural}. | Ich sehe {number} {plural}.
furniture thing animal | room | There are {number} {plural} in {the2}. | Il y a {number} {plural} dans {the2}. | Hay {number} {plural} en {the2}. | Es gibt {number} {plural} {in2}.
fruit vegetable clothes | container | There are {number} {plural} in {the2}. | Il y a {number} {plural} dans {the2}. | Hay {number} {plural} en {the2}. | Es gibt {number} {plural} {in2}.
animal person furniture | room | {the} is in {the2}. | {the} est dans {the2}. | {the} está en {the2}. | {the} ist {in2}.
fruit vegetable clothes | container | {the} is in {the2}. | {the} est dans {the2}. | {the} está en {the2}. | {the} ist {in2}.
clothes mine | room | {my} is in {the2}. | {my} est dans {the2}. | {my} está en {the2}. | {my} ist {in2}.
room | - | {name} is in {the}. | {name} est dans {the}. | {name} está en {the}. | {name} ist {in}.
thing clothes vehicle | - | {name} buys {a}. | {name} achète {a}. | {name} compra {a}. | {name} kauft {aAcc}.
animal own thing | - | {name} has {a}. | {name} a {a}. | {name} tiene {a}. | {name} hat {aAcc}.
thing clothes furniture vehicle | - | {the} costs {n} euros. | {the} coûte {n} euros. | {the} cuesta {n} euros. | {the} kostet {n} Euro.
hours | - | {the} is closed on {days}. | {the} est fermé{e} le {day}. | {the} está cerrad{o} los {days}. | {the} ist {days} geschlossen.
hours | - | {the} opens at {n} o'clock. | {the} ouvre à {n} heures. | {the} abre a las {n}. | {the} öffnet um {n} Uhr.
hours | - | When does {the} open? | Quand ouvre {the} ? | ¿Cuándo abre {the}? | Wann öffnet {the}?
hours | - | When does {the} close? | Quand ferme {the} ? | ¿Cuándo cierra {the}? | Wann schließt {the}?
travel mail | - | When does {the} arrive? | Quand arrive {the} ? | ¿Cuándo llega {the}? | Wann kommt {the} an?
animal fruit vegetable | - | I like {plural}. | J'aime {thePlural}. | Me gustan {thePlural}. | Ich mag {plural}.
thing clothes room | - | Can I see {the}? | Est-ce que je peux voir {the} ? | ¿Puedo ver {the}? | Kann ich {theAcc} sehen?
thing drink dish | - | Please bring {the}. | Apportez {the}, s'il vous plaît. | Traiga {the}, por favor. | Bringen Sie bitte {theAcc}.
mail | - | We sent {the} today. | Nous avons envoyé {the} aujourd'hui. | Hemos enviado {the} hoy. | Wir haben {theAcc} heute geschickt.
thing clothes | - | I have lost {my}. | J'ai perdu {my}. | He perdido {my}. | Ich habe {myAcc} verloren.
thing place service | - | I cannot find {the}. | Je ne trouve pas {the}. | No encuentro {the}. | Ich kann {theAcc} nicht finden.
thing dish drink service | - | Here is {the}. | Voici {the}. | Aquí está {the}. | Hier ist {the}.
drink dish service | - | Here is {your}. | Voici {your}. | Aquí está {your}. | Hier ist {your}.
person | animal own | {the} has {a2}. | {the} a {a2}. | {the} tiene {a2}. | {the} hat {aAcc2}.
person | thing clothes | {the} needs {a2}. | {the} a besoin {ofA2}. | {the} necesita {a2}. | {the} braucht {aAcc2}.
person mine | place thing | {the} is looking for {the2}. | {the} cherche {the2}. | {the} busca {the2}. | {the} sucht {theAcc2}.
mine | thing vehicle clothes | {my} buys {a2}. | {my} achète {a2}. | {my} compra {a2}. | {my} kauft {aAcc2}.
thing clothes drink dish | - | {the} is for {name}. | {the} est pour {name}. | {the} es para {name}. | {the} ist für {name}.
service | - | I have a question about {the}. | J'ai une question sur {the}. | Tengo una pregunta sobre {the}. | Ich habe eine Frage {zu}.
mail | - | Did you get {my}? | Avez-vous reçu {my} ? | ¿Ha recibido {my}? | Haben Sie {myAcc} bekommen?
mail words | - | We have received {your}. | Nous avons reçu {your}. | Hemos recibido {your}. | Wir haben {yourAcc} erhalten.
mail words | - | Thank you for {your}. | Merci pour {your}. | Gracias por {your}. | Danke für {yourAcc}.
opens | - | Please open {the}. | Ouvrez {the}, s'il vous plaît. | Abra {the}, por favor. | Öffnen Sie bitte {theAcc}.
opens | - | Please close {the}. | Fermez {the}, s'il vous plaît. | Cierre {the}, por favor. | Schließen Sie bitte {theAcc}.
`;

/** Patterns with an adjective that is said of the noun; `{be}` is the verb that Spanish needs for it. */
export const PREDICATE_ROWS = `
{the} is {adjective}. | {the} est {adjective}. | {the} {be} {adjective}. | {the} ist {adjective}.
{my} is {adjective}. | {my} est {adjective}. | {my} {be} {adjective}. | {my} ist {adjective}.
{your} is {adjective}. | {your} est {adjective}. | {your} {be} {adjective}. | {your} ist {adjective}.
{the} is not {adjective}. | {the} n'est pas {adjective}. | {the} no {be} {adjective}. | {the} ist nicht {adjective}.
{the} is very {adjective}. | {the} est très {adjective}. | {the} {be} muy {adjective}. | {the} ist sehr {adjective}.
Is {the} {adjective}? | Est-ce que {the} est {adjective} ? | ¿{be} {adjective} {the}? | Ist {the} {adjective}?
Why is {the} {adjective}? | Pourquoi est-ce que {the} est {adjective} ? | ¿Por qué {be} {adjective} {the}? | Warum ist {the} {adjective}?
{thePlural} are {adjectives}. | {thePlural} sont {adjectives}. | {thePlural} {bes} {adjectives}. | {thePlural} sind {adjectives}.
{thePlural} are not {adjectives}. | {thePlural} ne sont pas {adjectives}. | {thePlural} no {bes} {adjectives}. | {thePlural} sind nicht {adjectives}.
`;

/** Patterns with an adjective next to the noun. */
export const ATTRIBUTE_PATTERN_ROWS = `
{name} has {a}. | {name} a {a}. | {name} tiene {a}. | {name} hat {aAcc}.
I want to buy {a}. | Je veux acheter {a}. | Quiero comprar {a}. | Ich möchte {aAcc} kaufen.
I have {a}. | J'ai {a}. | Tengo {a}. | Ich habe {aAcc}.
This is {a}. | C'est {a}. | {this} es {a}. | Das ist {a}.
{name} sees {a}. | {name} voit {a}. | {name} ve {a}. | {name} sieht {aAcc}.
We are looking for {a}. | Nous cherchons {a}. | Buscamos {a}. | Wir suchen {aAcc}.
`;

/** Words and short phrases, without a full stop. */
export const BARE_ROWS = `
{the} | {the} | {the} | {the}
{a} | {a} | {a} | {a}
{my} | {my} | {my} | {my}
{your} | {your} | {your} | {your}
{thePlural} | {thePlural} | {thePlural} | {thePlural}
{number} {plural} | {number} {plural} | {number} {plural} | {number} {plural}
`;

/** Patterns without a noun. */
export const PERSON_ROWS = `
Good morning, {name}! | Bonjour, {name} ! | ¡Buenos días, {name}! | Guten Morgen, {name}!
Good night, {name}! | Bonne nuit, {name} ! | ¡Buenas noches, {name}! | Gute Nacht, {name}!
Goodbye, {name}! | Au revoir, {name} ! | ¡Adiós, {name}! | Auf Wiedersehen, {name}!
Thank you, {name}. | Merci, {name}. | Gracias, {name}. | Danke, {name}.
My name is {name}. | Je m'appelle {name}. | Me llamo {name}. | Ich heiße {name}.
Where is {name}? | Où est {name} ? | ¿Dónde está {name}? | Wo ist {name}?
Where does {name} live? | Où habite {name} ? | ¿Dónde vive {name}? | Wo wohnt {name}?
{name} arrives on {day}. | {name} arrive {day}. | {name} llega el {day}. | {name} kommt am {day} an.
{name} works on {day}. | {name} travaille {day}. | {name} trabaja el {day}. | {name} arbeitet am {day}.
{name} is not here. | {name} n'est pas ici. | {name} no está aquí. | {name} ist nicht hier.
{name} does not work on {days}. | {name} ne travaille pas le {day}. | {name} no trabaja los {days}. | {name} arbeitet {days} nicht.
See you on {day}, {name}! | À {day}, {name} ! | ¡Hasta el {day}, {name}! | Bis {day}, {name}!
Please call {name}. | Appelez {name}, s'il vous plaît. | Llame a {name}, por favor. | Rufen Sie bitte {name} an.
{name} is {n} years old. | {name} a {n} ans. | {name} tiene {n} años. | {name} ist {n} Jahre alt.
Do you know {name}? | Connaissez-vous {name} ? | ¿Conoce a {name}? | Kennen Sie {name}?
I am waiting for {name}. | J'attends {name}. | Espero a {name}. | Ich warte auf {name}.
When does {name} come? | Quand vient {name} ? | ¿Cuándo viene {name}? | Wann kommt {name}?
`;
