// In the form of FileColumns. A word that means something else elsewhere counts only beside one of its own language.

/** Last names beside a first name, and otherwise whole names; the next two are the reverse. */
const wholeOrLast = ['name', 'nom', 'naam'];
const firstBeside = ['vorname', 'prenom', 'voornaam'];
const wholeOrFirst = ['nome', 'nombre'];
const lastBeside = ['cognome', 'sobrenome', 'apelido', 'ultimonome', 'apellidos', 'apellido', 'primerapellido'];

const firsts = [...firstBeside, 'rufname', 'roepnaam', 'primeironome', 'nomeproprio', 'primernombre'];
const plainLasts = ['nachname', 'familienname', 'zuname', 'nomdefamille', 'achternaam', 'familienaam'];
const noLast = plainLasts.map((last) => `!${last}`).join('');

const lastsOfNames = wholeOrLast.flatMap((whole) => firstBeside.map((first) => `${whole}&${first}${noLast}`));
const firstsOfNames = wholeOrFirst.flatMap((whole) => lastBeside.map((last) => `${whole}&${last}`));
const middle = 'tussenvoegsel/tussenvoegsels/weiterevornamen/zweitervorname/deuxiemeprenom/segundonombre?';

/** Comes before all other name headings: in such a file this column holds the last name. */
export const namesInParts = wholeOrLast
  .flatMap((whole) => firstBeside.map((first) => `${first}+${middle}+${whole}&${first}&${whole}${noLast}`))
  .join(' ');

const nobodysLast = lastBeside.map((last) => `!${last}`).join('');
const lasts = `${lastBeside.slice(0, -1).join('/')}/primerapellido+segundoapellido?`;

export const translatedHeadings = {
  name: [
    'vollername vollstandigername vorundnachname ansprechpartner kontaktname nomcomplet nometprenom nomprenom prenomnom',
    'nombrecompleto nombreyapellidos nomecompleto nomecognome nomeecognome nominativo volledigenaam contactpersoon',
    'nom naam',
    ...wholeOrFirst.map((whole) => `${whole}${nobodysLast}`),
    `${[...firsts, ...wholeOrFirst].join('/')}+${middle}+${plainLasts.join('/')}/${lasts}`,
  ].join(' '),
  first_name: [...firsts, ...firstsOfNames].join(' '),
  last_name: [...plainLasts, ...lastsOfNames, lasts, 'surname'].join(' '),
  email: [
    'emailadresse emailgeschaftlich geschaftlicheemail emaildienstlich mailadresse epost emailprivat privateemail',
    'adresseemail adressemail courriel adresseelectronique adressedemessagerie emailprofessionnel',
    'correoelectronico correo direcciondecorreoelectronico direcciondecorreo direcciondeemail',
    'enderecodeemail correioeletronico correioelectronico enderecodecorreioeletronico enderecoeletronico',
    'indirizzoemail indirizzomail postaelettronica indirizzodipostaelettronica emailadres mailadres',
  ].join(' '),
  phone: [
    'telefongeschaftlich telefondienstlich telefon telefonnummer telefonnr telnr telnummer rufnummer festnetz',
    'festnetznummer mobiltelefon telefonmobil mobil mobilnummer mobilnr mobiltelefonnummer natel handy handynummer telefonprivat',
    'telephonebureau telephoneprofessionnel telephone numerodetelephone numtelephone notelephone ndetelephone ntelephone',
    'telephonefixe telfixe telephoneportable telephonemobile telmobile telportable portable&nom portable&prenom',
    'telefono numerodetelefono telefonodeltrabajo telefonotrabajo telefonofijo telefonomovil movil celular telefonocelular',
    'telefone numerodetelefone telefonecomercial telefonefixo telemovel telefonemovel telefonecelular',
    'telefonoufficio numeroditelefono telefonofisso cellulare telefonocellulare numerodicellulare recapitotelefonico',
    'telefoonwerk telefoon telefoonnummer telefoonnr mobiel mobielnummer mobielnr mobieletelefoon telefoonmobiel gsm gsmnummer',
  ].join(' '),
  company: [
    'firma firmenname unternehmen unternehmensname betrieb societe entreprise nomdelasociete nomdelentreprise raisonsociale',
    'empresa compania nombredelaempresa nombreempresa razonsocial organizacion companhia nomedaempresa razaosocial organizacao',
    'azienda nomeazienda societa ditta ragionesociale organizzazione bedrijf bedrijfsnaam organisatie onderneming',
  ].join(' '),
  job_title: [
    'funktion berufsbezeichnung beruf jobtitel stellenbezeichnung tatigkeit fonction poste intituleduposte titreduposte',
    'profession metier cargo puesto puestodetrabajo profesion ocupacion funcao profissao ocupacao qualifica ruolo mansione',
    'professione posizione posizionelavorativa functie functietitel functienaam beroep',
  ].join(' '),
  website: [
    'webseite webadresse internetseite internetadresse firmenwebseite siteweb siteinternet adresseweb urldusiteweb sitioweb urldelsitioweb paginaweb',
    'direccionweb sitedaempresa enderecoweb sitoweb sito sitointernet indirizzoweb webpagina webadres websiteadres',
  ].join(' '),
  industry:
    'branche industrie wirtschaftszweig secteur secteurdactivite sector sectordeactividad industria setor ramodeatividade settore settoredattivita settoremerceologico bedrijfstak',
  address: [
    'strasse+hausnummer/hausnr/nr? strassehausnummer strasseundhausnummer strassenr strassegeschaftlich anschrift adresse',
    'rue numeroetrue adressepostale direccion calle domicilio direccionpostal endereco morada rua logradouro',
    'indirizzo via&citta via&cap adres straat+huisnummer/huisnr?+toevoeging? straatnaam+huisnummer/huisnr?+toevoeging?',
    'straatenhuisnummer straathuisnummer',
  ].join(' '),
  city: 'ort stadt wohnort ortgeschaftlich ville commune localite ciudad poblacion localidad municipio cidade citta comune localita plaats woonplaats plaatsnaam stad gemeente',
  state:
    'bundesland bundeslandregion kanton departement etatregion canton provincia estadoregion estado&ciudad estado&cidade estado&municipio comunidadautonoma regione provincie regio',
  postal_code:
    'plz postleitzahl postleitzahlgeschaftlich codepostal cp&ville codigopostal cp&ciudad cp&poblacion cp&localidad cep cap&citta cap&comune cap&indirizzo codicepostale',
  country: 'land landregion landregiongeschaftlich pays paysregion pais paisregion paese nazione',
  id: 'kontaktid datensatzid idcontact idcontacto idcontato idcontatto idderegistro idrecord',
  created_at: [
    'erstelltam erstellungsdatum erstelldatum angelegtam anlagedatum datedecreation creele datecreation fechadecreacion',
    'fechacreacion creadoel datadecriacao datacriacao criadoem datadicreazione datacreazione creatoil aanmaakdatum aangemaaktop',
  ].join(' '),
  external_id:
    'externeid externekennung identifiantexterne idexterne idexterno identificadorexterno idesterno identificativoesterno',
  tags: 'schlagworte schlagworter stichworte stichworter etiquettes motscles etiquetas marcadores etichette trefwoorden',
  roles: 'rolle rollen benutzerrolle rol roles ruolo ruoli papel papeis funcao rollen',
  status: 'statut estado situacao stato mitgliedsstatus',
} as const;
