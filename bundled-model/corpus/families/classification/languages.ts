// Sentences of seven languages.

export const ENGLISH: readonly string[] = [
  'Where is my order {order}?',
  'The weather in {city} is very nice today.',
  'My name is {name} and I have a question.',
  'The parcel from {company} is not here yet.',
  'Can you help me with the {product}, please?',
  'We will meet in {city} tomorrow.',
  'The code {code} does not work.',
  '{name} will be a little late today.',
  'I would like {count} tickets for the evening.',
  'Thank you for the quick answer, {name}.',
  'Yesterday I bought a new table.',
  'How much does the bread cost?',
];

export const GERMAN: readonly string[] = [
  'Wo ist meine Bestellung {order}?',
  'Das Wetter in {city} ist heute sehr schön.',
  'Mein Name ist {name} und ich habe eine Frage.',
  'Das Paket von {company} ist noch nicht da.',
  'Können Sie mir bitte mit dem {product} helfen?',
  'Wir treffen uns morgen in {city}.',
  'Der Code {code} geht leider nicht.',
  '{name} kommt heute etwas später.',
  'Ich möchte {count} Karten für den Abend.',
  'Vielen Dank für die schnelle Antwort, {name}.',
  'Gestern habe ich einen neuen Tisch gekauft.',
  'Was kostet das Brot?',
];

export const FRENCH: readonly string[] = [
  'Où est ma commande {order} ?',
  "Il fait très beau aujourd'hui, {name}.",
  "Je m'appelle {name} et j'ai une question.",
  "Le colis de {company} n'est pas encore là.",
  "Pouvez-vous m'aider avec le {product}, s'il vous plaît ?",
  'Nous nous voyons demain à {city}.',
  'Le code {code} ne marche pas.',
  "{name} arrive un peu plus tard aujourd'hui.",
  'Je voudrais {count} billets pour ce soir.',
  'Merci beaucoup pour la réponse rapide, {name}.',
  "Hier, j'ai acheté une nouvelle table.",
  'Combien coûte le pain ?',
];

export const SPANISH: readonly string[] = [
  '¿Dónde está mi pedido {order}?',
  'Hoy hace muy buen tiempo en {city}.',
  'Me llamo {name} y tengo una pregunta.',
  'El paquete de {company} todavía no ha llegado.',
  '¿Me puede ayudar con el {product}, por favor?',
  'Nos vemos mañana en {city}.',
  'El código {code} no funciona.',
  '{name} llega hoy un poco más tarde.',
  'Quiero {count} entradas para esta noche.',
  'Muchas gracias por la respuesta, {name}.',
  'Ayer compré una mesa nueva.',
  '¿Cuánto cuesta el pan?',
];

export const ITALIAN: readonly string[] = [
  "Dov'è il mio ordine {order}?",
  'Oggi il tempo a {city} è molto bello.',
  'Mi chiamo {name} e ho una domanda.',
  'Il pacco di {company} non è ancora arrivato.',
  'Mi può aiutare con il {product}, per favore?',
  'Ci vediamo domani a {city}.',
  'Il codice {code} non funziona.',
  '{name} oggi arriva un po’ più tardi.',
  'Vorrei {count} biglietti per questa sera.',
  'Grazie mille per la risposta, {name}.',
  'Ieri ho comprato un tavolo nuovo.',
  'Quanto costa il pane?',
];

export const DUTCH: readonly string[] = [
  'Waar is mijn bestelling {order}?',
  'Het weer in {city} is vandaag erg mooi.',
  'Mijn naam is {name} en ik heb een vraag.',
  'Het pakje van {company} is er nog niet.',
  'Kunt u mij helpen met de {product}?',
  'We zien elkaar morgen in {city}.',
  'De code {code} werkt helaas niet.',
  '{name} komt vandaag wat later.',
  'Ik wil graag {count} kaartjes voor vanavond.',
  'Hartelijk dank voor het snelle antwoord, {name}.',
  'Gisteren heb ik een nieuwe tafel gekocht.',
  'Hoeveel kost het brood?',
];

export const PORTUGUESE: readonly string[] = [
  'Onde está a minha encomenda {order}?',
  'Hoje o tempo em {city} está muito bom.',
  'O meu nome é {name} e tenho uma pergunta.',
  'O pacote da {company} ainda não chegou.',
  'Pode ajudar-me com o {product}, por favor?',
  'Vemo-nos amanhã em {city}.',
  'O código {code} não funciona.',
  '{name} chega hoje um pouco mais tarde.',
  'Eu queria {count} bilhetes para esta noite.',
  'Muito obrigado pela resposta, {name}.',
  'Ontem comprei uma mesa nova.',
  'Quanto custa o pão?',
];
